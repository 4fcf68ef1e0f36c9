import { type Language, list } from './language.ts';

export const TR: Language = {
  stopWords: list(
    'acaba, ama, ancak, bana, bazı, belki, ben, bir, biz, bu, çok, da, daha, de, değil, diye, en, gibi, hem, hep, her, ile, ise, ki, kim, mı, mi, mu, mü, ne, neden, o, olan, olarak, sen, siz, şu, tüm, var, ve, veya, ya, yani, yok',
  ),
  forWords: list('için, uyumlu'),
  notFor: list('satılık, kiralık, takas, çocuk, çocuklar, bebek, kadın, erkek, ev, parça'),
  withWords: list('ile, dahil, artı, birlikte, ve, yanında'),
  accessories: list(
    'adaptör, aksesuar, aksesuarlar, aparat, askı, batarya, çanta, çantası, ekran koruyucu, filtre, kablo, kablosu, kapak, kapağı, kask, kayış, kayışı, kılıf, kılıfı, kılıflar, kilit, koruyucu, kumanda, lastik, jant, minder, örtü, örtüsü, paspas, parça, parçası, pedal, pil, pompa, sehpası, sele, sepet, stand, şarj aleti, şarj cihazı, şarj kablosu, taşıyıcı, tutucu, yedek parça, tel',
  ),
  synonyms: [],
};
