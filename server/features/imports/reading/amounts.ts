import { findPart, getMoney } from '../../../../contract/money.ts';
import type { Problem, ReadingOptions } from './imported-ad.ts';

export interface ReadPrice {
  price: string;
  currency: string | null;
  problem?: Omit<Problem, 'column'>;
}

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  '₺': 'TRY',
};

const SIGN = "(?:[A-Za-z]{3}|[^\\d\\s.,'-])";
const BEFORE = new RegExp(`^${SIGN}`);
const AFTER = new RegExp(`${SIGN}$`);
const NUMBER = /^[\d.,' \u00A0\u202F-]+$/;

/** "199.00 USD", "USD 80", "€ 12": the number, and the currency if there is one. */
const splitCurrency = (text: string): [number: string, currency: string | null] => {
  const before = BEFORE.exec(text)?.[0] ?? '';
  const after = before === '' ? (AFTER.exec(text)?.[0] ?? '') : '';
  const number = text.slice(before.length, text.length - after.length).trim();
  if (!NUMBER.test(number)) return [text, null];
  const sign = before || after;
  if (sign === '') return [number, null];
  if (sign.length === 3) return [number, sign.toUpperCase()];
  if (sign === findPart('currency')) return [number, getMoney().currency.code];
  return SIGNS[sign] ? [number, SIGNS[sign]] : [text, null];
};

const POINT = /^(?:\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+\.\d+)$/;
const COMMA = /^(?:\d+|\d{1,3}(?:[. \u00A0\u202F]\d{3})+)(?:,\d+)?$/;

const EXAMPLE = { key: 'mistakes.writeAmount' } as const;
const MISSING = { key: 'mistakes.priceMissing' } as const;

/** How a number is mended that only one reading fits, or several. */
const explain = (text: string): Omit<Problem, 'column'> =>
  COMMA.test(text) || POINT.test(text.replaceAll(',', ''))
    ? { what: { key: 'mistakes.twoWays', values: { text } }, how: { key: 'mistakes.chooseDecimal' } }
    : { what: { key: 'mistakes.noNumber', values: { text: text.slice(0, 50) } }, how: EXAMPLE };

/**
 * A price as a file has it. Nothing is guessed: only "1234.50" is read without a choice, "1.234,50" after that of the decimal
 * comma, and "1,234.50" because it has both.
 */
export const readPrice = (given: string, { decimal }: ReadingOptions = {}): ReadPrice => {
  const text = given.trim();
  if (text === '') return { price: '', currency: null, problem: { what: MISSING, how: EXAMPLE } };
  const [number, currency] = splitCurrency(text.slice(0, 60));
  if (decimal === 'comma') {
    if (COMMA.test(number))
      return { price: toCanonical(number.replace(/[. \u00A0\u202F]/g, '').replace(',', '.')), currency };
  } else if (POINT.test(number)) return { price: toCanonical(number.replaceAll(',', '')), currency };
  return { price: '', currency, problem: explain(number) };
};

const toCanonical = (number: string): string => number.replace(/^0+(?=\d)/, '');

const divide = (digits: string, places: number): string => {
  const padded = digits.padStart(places + 1, '0');
  let rest = padded.slice(-places);
  while (rest.endsWith('0')) rest = rest.slice(0, -1);
  return toCanonical(padded.slice(0, -places)) + (rest && `.${rest}`);
};

/** What prices may be whole numbers of, with their decimals, and what is said of one that is none. */
const SMALL_UNITS = {
  cents: { places: 2, write: 'mistakes.writeCents', wrong: 'mistakes.notCents', example: 'mistakes.inCents' },
  millionths: {
    places: 6,
    write: 'mistakes.writeMillionths',
    wrong: 'mistakes.notMillionths',
    example: 'mistakes.inMillionths',
  },
} as const;

/** A price as a whole number of small units. */
export const readSmallUnits = (given: string, unit: keyof typeof SMALL_UNITS): ReadPrice => {
  const { places, write, wrong, example } = SMALL_UNITS[unit];
  const text = given.trim();
  if (text === '') return { price: '', currency: null, problem: { what: MISSING, how: { key: write } } };
  if (/^\d{1,20}$/.test(text)) return { price: divide(text, places), currency: null };
  const what = { key: wrong, values: { text: text.slice(0, 50) } };
  return { price: '', currency: null, problem: { what, how: { key: example } } };
};
