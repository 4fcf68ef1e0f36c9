/** How people write units of measure behind a number, by the first of each line; folded. */
const LINES = [
  'inch, inches, inchs, zoll, pulgada, pulgadas, pulg, pouce, pouces, polegada, polegadas, インチ, 吋, بوصه, بوصات, انش',
  'gb, gigabyte, gigabytes, gig, gigs, giga, gigas, gigabit, ギガ, ギガバイト, جيجا, جيجابايت, غيغا, غيغابايت, قيقا, جيقا',
  'tb, terabyte, terabytes, tera, teras, テラ, テラバイト, تيرا, تيرابايت',
  'kg, kgs, kilo, kilos, kilogram, kilograms, kilogramm, kilogramme, kilogrammes, kilogramo, kilogramos, quilo, quilos, キロ, キログラム, كيلو, كيلوجرام, كغ, كجم',
  'l, liter, liters, litre, litres, litro, litros, ltr, ltrs, lts, リットル, لتر, ليتر, لترات',
  'cm, cms, centimeter, centimeters, centimetre, centimetres, zentimeter, centimetro, centimetros, センチ, سم, سنتي',
  'mm, millimeter, millimeters, millimetre, millimetres, milimetro, milimetros, ミリ, ملم, مم',
  'm, meter, meters, metre, metres, metro, metros, メートル, متر, امتار',
  'km, kms, kilometer, kilometers, kilometre, kilometres, kilometro, kilometros, quilometro, quilometros, كم, كيلومتر',
  'v, volt, volts, voltio, voltios, ボルト, فولت',
  'w, watt, watts, watio, watios, ワット, واط, وات',
];
const UNITS = new Map(
  LINES.flatMap((line) => {
    const names = line.split(', ');
    return names.map((name) => [name, names[0]!] as const);
  }),
);
/** Units only where nothing is between: "5 in 1". */
const GLUED: ReadonlyMap<string, string> = new Map([
  ['in', 'inch'],
  ['go', 'gb'],
  ['to', 'tb'],
]);
const NUMBER = /^\d{1,6}(\.\d{1,6})?$/;
const NAMES_OF_RUNS = [...UNITS.keys()].filter((name) => /^[\p{sc=Kana}\p{sc=Hani}ー]+$/u.test(name));
/** The longer first: キログラム before キロ. */
NAMES_OF_RUNS.sort((a, b) => b.length - a.length);

/** The one word for a number and a unit, however the unit is written: "55inch" of 55 and "Zoll". */
export const measure = (number: string, unit: string, isGlued = false): string[] => {
  if (!NUMBER.test(number)) return [];
  const name = UNITS.get(unit) ?? (isGlued ? GLUED.get(unit) : undefined);
  return name === undefined ? [] : [number + name];
};

/** The same of a number and a run of Japanese or Chinese that begins with a unit: 26インチ自転車. */
export const measureRun = (number: string, run: string): string[] => {
  const unit = NAMES_OF_RUNS.find((name) => run.startsWith(name));
  return unit === undefined ? [] : measure(number, unit);
};
