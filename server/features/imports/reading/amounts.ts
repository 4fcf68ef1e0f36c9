import { toAscii, withoutSign } from '../../../../contract/amount.ts';
import { getMoney } from '../../../../contract/money.ts';
import type { Problem, ReadingOptions } from './imported-ad.ts';

export interface ReadPrice {
  price: string;
  currency: string | null;
  problem?: Omit<Problem, 'column'>;
}

/** Signs of one currency alone: "$" and "kr" are of many. */
const SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['円', 'JPY'],
  ['R$', 'BRL'],
]);

const NUMBER = /^[\d., '-]+$/;
const SIGN = /^[^\d., '-]{1,3}|[^\d., '-]{1,3}$/;

const findCode = (sign: string): string | undefined => SIGNS.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? sign : undefined);

/** "199.00 USD", "USD 80", "€ 12": the number, and the currency if there is one. The marketplace's may have any of its signs. */
const splitCurrency = (text: string): [number: string, currency: string | null] => {
  if (NUMBER.test(text)) return [text, null];
  const own = withoutSign(text, getMoney());
  if (NUMBER.test(own)) return [own, getMoney().currency.code];
  const code = findCode((SIGN.exec(text)?.[0] ?? '').toUpperCase());
  const number = text.replace(SIGN, '').trim();
  return code && NUMBER.test(number) ? [number, code] : [text, null];
};

/** What has one meaning only, so that nobody has to choose the decimal sign. */
const PLAIN = /^(?:\d+(?:\.\d+)?|\d{1,3}(?:(?:,\d{3})+|(?:'\d{3})+)\.\d+)$/;

/** "1,234.50", in India "1,23,456", in Switzerland "1'234.-". */
const POINT = /^(?:\d+|\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+)|\d{1,2}(?:,\d\d)+,\d{3})(?:\.(?:\d+|--?))?$/;
const COMMA = /^(?:\d+|\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+))(?:,(?:\d+|--?))?$/;

/** Longer texts are no price. */
const MAX_LENGTH = 60;

const EXAMPLE = { key: 'mistakes.writeAmount' } as const;
const MISSING = { key: 'mistakes.priceMissing' } as const;

/** How a number is mended that a choice makes clear, or none. */
const explain = (number: string, text: string): Omit<Problem, 'column'> =>
  COMMA.test(number) || POINT.test(number)
    ? { what: { key: 'mistakes.twoWays', values: { text: number } }, how: { key: 'mistakes.chooseDecimal' } }
    : { what: { key: 'mistakes.noNumber', values: { text: text.slice(0, 50) } }, how: EXAMPLE };

const FORMS = { point: [POINT, '.'], comma: [COMMA, ','] } as const;

/**
 * A price as a file has it. Nothing is guessed: only "1234.50" is read without a choice, "1,234" and "1.234,50" after that of the
 * decimal sign, and "1,234.50" because it has both. Digits may be full-width or Arabic; small ones ("19⁹⁹") are none.
 */
export const readPrice = (given: string, { decimal }: ReadingOptions = {}): ReadPrice => {
  const text = given.trim();
  if (text === '') return { price: '', currency: null, problem: { what: MISSING, how: EXAMPLE } };
  const isOdd = text.length > MAX_LENGTH || /\p{No}/u.test(text);
  const [number, currency] = isOdd ? ['', null] : splitCurrency(toAscii(text).trim());
  const [form, sign] = decimal ? FORMS[decimal] : [PLAIN, '.'];
  if (!form.test(number)) return { price: '', currency, problem: explain(number, text) };
  const [whole = '', part = ''] = number.split(sign);
  const decimals = part.replaceAll('-', '');
  return { price: toCanonical(whole.replace(/\D/g, '')) + (decimals && `.${decimals}`), currency };
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
