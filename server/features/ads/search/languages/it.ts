import { type Language, list } from './language.ts';

export const IT: Language = {
  stopWords: list(
    'a, ad, al, alla, alle, anche, che, chi, ci, come, con, da, dal, dalla, dei, del, della, delle, di, e, è, ed, gli, ho, i, il, in, io, la, le, lo, ma, mi, molto, ne, nel, nella, no, noi, non, o, per, più, quando, quello, questa, questo, se, si, sono, su, sul, tra, tu, un, una, uno, vi',
  ),
  forWords: list('per, compatibile, adatto'),
  notFor: list(
    'vendita, ritiro, scambio, ricambi, bambini, bambino, bambina, bambine, bimbi, neonati, uomo, donna, adulti, casa, esterno, interno, tutti, il, la, i, le, un, una',
  ),
  withWords: list('con, incluso, inclusa, inclusi, più, e, comprensivo'),
  accessories: list(
    'accessori, accessorio, adattatore, borsa, borse, batteria, batterie, cavo, cavi, caricabatterie, caricatore, casco, cestino, cinturino, cover, copri, coprisedile, coprisedili, copridivano, custodia, custodie, cuscino, cuscini, filtro, filtri, fodera, fodere, gomme, cerchi, lucchetto, maniglia, manuale, pedali, pellicola, pezzi, pompa, portabici, portapacchi, ricambi, ricambio, sella, stand, supporto, supporti, tappetino, tappetini, telecomando, tracolla, treppiede, corde, rimorchio',
  ),
  synonyms: [],
};
