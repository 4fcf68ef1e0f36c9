import { type Language, list } from './language.ts';

export const NL: Language = {
  stopWords: list(
    'aan, al, als, bij, dan, dat, de, deze, die, dit, door, een, en, er, ook, op, of, om, onder, over, het, hij, ik, in, is, je, kan, maar, me, met, mijn, naar, niet, nog, nu, te, tot, uit, van, voor, was, wat, we, wel, wij, zijn, zo, zonder',
  ),
  forWords: list('voor, passend, geschikt'),
  notFor: list(
    'verkoop, onderdelen, liefhebber, kinderen, kind, jongens, meisjes, dames, heren, baby, buiten, binnen, thuis, weinig, iedereen, de, het, een, slechts',
  ),
  withWords: list('met, incl, inclusief, plus, en'),
  accessories: list(
    'accessoires, adapter, accu, batterij, bekleding, bel, cover, fietsendrager, fietstas, filter, handleiding, handvat, helm, hoes, hoesje, hoesjes, hoezen, houder, kabel, kabels, kussen, kussens, lader, laadkabel, lamp, mand, mat, matten, onderdelen, onderdeel, oplader, pedalen, pomp, rek, riem, band, banden, slot, standaard, statief, stickers, tas, tassen, topper, velgen, zadel, snaren, afstandsbediening, aanhanger',
  ),
  synonyms: [],
};
