import { type Language, list } from './language.ts';

export const PL: Language = {
  stopWords: list(
    'a, aby, albo, ale, bez, bo, być, by, co, czy, dla, do, gdy, go, i, ich, im, ja, jak, jako, jego, jej, jest, już, każdy, która, które, który, lub, ma, mnie, może, na, nad, nie, o, od, on, ona, oraz, po, pod, przed, przez, przy, się, są, ta, tak, te, tego, ten, to, tu, ty, tylko, w, we, z, za, ze, że',
  ),
  forWords: list('do, dla, pasuje'),
  notFor: list(
    'sprzedania, sprzedaży, wynajęcia, odbioru, oddania, negocjacji, wymiany, naprawy, remontu, domu, ogrodu, dzieci, dziecka, niemowląt, chłopca, dziewczynki, kobiet, mężczyzn, wszystkich, części',
  ),
  withWords: list('z, ze, plus, oraz, i, wraz, w zestawie'),
  accessories: list(
    'akcesoria, adapter, akumulator, bagażnik, bateria, baterie, błotnik, czapka, części, część, dywaniki, etui, filtr, filtry, futerał, kabel, kable, kask, klosz, koszyk, ładowarka, ładowarki, mata, maty, nakładka, naklejka, obudowa, opony, felgi, osłona, pasek, paski, pedały, pilot, plecak, podstawka, pokrowiec, pokrowce, pompka, poduszka, siodełko, stojak, statyw, struny, szkło, torba, torby, uchwyt, uchwyty, zapięcie, zasilacz, przyczepka, instrukcja',
  ),
  synonyms: [],
};
