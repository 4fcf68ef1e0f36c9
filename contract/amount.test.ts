import { afterEach, describe, expect, test } from 'vitest';
import { parseAmount, toTyped } from './amount.ts';
import { maxAmount, padAmount } from './amount-rules.ts';
import { toLocale } from './languages.ts';
import { formatPrice, getMoney, setCurrency } from './money.ts';
import { Amount, Price, PriceBound } from './scalars.ts';

const READ: [text: string, amount: string][] = [
  ['12', '12'],
  ['12.5', '12.5'],
  ['12,5', '12.5'],
  ['12.50', '12.50'],
  ['12,50', '12.50'],
  ['0,99', '0.99'],
  ['.50', '0.50'],
  [',5', '0.5'],
  ['12.', '12'],
  ['12,-', '12'],
  ['0', '0'],
  ['007', '7'],
  ['1,250', '1250'],
  ['12,500', '12500'],
  ['1,250.00', '1250.00'],
  ['1,250.5', '1250.5'],
  ['1.250,00', '1250.00'],
  ['1.250.000', '1250000'],
  ['1,250,000.99', '1250000.99'],
  ['1 250', '1250'],
  ['1 250,50', '1250.50'],
  ['1\u00A0250,50', '1250.50'],
  ['1\u202F250.50', '1250.50'],
  ["1'250.50", '1250.50'],
  ['1’250', '1250'],
  ['$12.50', '12.50'],
  ['$ 1,250', '1250'],
  ['US$12,50', '12.50'],
  ['12.50 USD', '12.50'],
  ['12,50$', '12.50'],
  ['  12,50\t', '12.50'],
  ['１２，５０', '12.50'],
  ['١٢٫٥٠', '12.50'],
  ['99999999.99', '99999999.99'],
  ['99,999,999.99', '99999999.99'],
];

test.each(READ)('“%s” is %s', (text, amount) => expect(parseAmount(text)).toBe(amount));

const REFUSED = [
  // could be two amounts
  '1.250',
  '12.500',
  '0.250',
  '0,250',
  '0 250',
  // groups that are none
  '1,25,000',
  '1,2500',
  '12 50',
  '1,250 000',
  '1.250.50',
  '1,250,50',
  '1,250.500',
  '12.50.00',
  '12,,50',
  '12 ,50',
  '1250,000',
  // no amounts, and other currencies
  '',
  ' ',
  '.',
  ',',
  '$',
  '-5',
  '+5',
  '1e3',
  '12k',
  '0x10',
  'Infinity',
  'NaN',
  '12,50 €',
  '£12',
  '$$12',
  '12-',
  '100000000',
  '100,000,000',
  '1'.repeat(41),
];

test.each(REFUSED)('“%s” is refused', (text) => expect(parseAmount(text)).toBeUndefined());

test('what was understood is understood the same again', () => {
  for (const [, amount] of READ) expect(parseAmount(amount)).toBe(amount);
});

/** Every text of up to two digits, a separator and up to three digits, among others. */
const listTexts = (length: number): string[] =>
  length === 0
    ? ['']
    : listTexts(length - 1).flatMap((text) => [text, ...['0', '1', '5', '.', ',', ' '].map((c) => text + c)]);

test('no amount is ever more than its text says, with any separator read as the point', () => {
  for (const text of new Set(listTexts(6))) {
    const amount = parseAmount(text);
    if (amount === undefined) continue;
    const last = /[.,](\d{1,2})$/.exec(text.trim());
    const digits = text.replace(/\D/g, '') || '0';
    expect([text, Number(amount)]).toEqual([text, Number(digits) / (last ? 10 ** last[1]!.length : 1)]);
  }
});

const USD = getMoney().currency;
const JPY = { code: 'JPY', decimals: 0, digits: 10 };
const KWD = { code: 'KWD', decimals: 3, digits: 8 };
const LANGUAGES = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ja-JP', 'ar', 'ar-EG', 'de-CH'];
const CURRENCIES = [USD, JPY, KWD, { ...USD, code: 'EUR' }, { ...USD, code: 'BRL' }, { ...USD, code: 'SEK' }];
const steps = Array.from({ length: 100 }, (_, n) => Math.round(1.2 ** n * 7 + n) % 1e9);

test('rupees are read in groups as India writes them, and dollars are not', () => {
  const rupees = { currency: { ...USD, code: 'INR' }, locale: 'en-US' };
  const format = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 });
  for (const step of steps)
    expect(padAmount(parseAmount(format.format(step / 10), rupees) ?? 'NaN')).toBe(padAmount(String(step / 10)));
  expect(parseAmount('₹1,23,456', rupees)).toBe('123456');
  expect(parseAmount('1,2,345', rupees)).toBeUndefined();
  expect(parseAmount('1,23,45', rupees)).toBeUndefined();
  expect(parseAmount('1,23,456')).toBeUndefined();
});

describe.each(LANGUAGES)('in the language %s', (locale) => {
  test.each(CURRENCIES)('an amount in $code is read as the language writes it, in every way', (currency) => {
    const { code, decimals } = currency;
    const money = { currency, locale };
    const options = { maximumFractionDigits: decimals };
    const number = new Intl.NumberFormat(locale, options);
    const names = (['symbol', 'narrowSymbol', 'code'] as const).map(
      (currencyDisplay) => new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay }),
    );
    for (const step of steps) {
      const amount = step / 10 ** decimals;
      const exact = padAmount(String(amount), currency);
      for (const text of [formatPrice(exact, money), number.format(amount), ...names.map((n) => n.format(amount))])
        expect([text, padAmount(parseAmount(text, money) ?? 'NaN', currency)]).toEqual([text, exact]);
      expect(parseAmount(toTyped(exact, money), money)).toBe(exact);
    }
  });

  test('every text is read as in another language, or is an error in one of the two', () => {
    for (const other of ['en-US', 'de-DE'])
      for (const text of new Set(listTexts(5))) {
        const [here, there] = [locale, other].map((locale) => parseAmount(text, { currency: USD, locale }));
        if (here !== undefined && there !== undefined) expect([text, here]).toEqual([text, there]);
      }
  });
});

test.each([
  ['ja', 'JPY', '1200円', '1200'],
  ['ja', 'JPY', '１，２００ 円', '1200'],
  ['ja', 'USD', '12.50 米ドル', '12.50'],
  ['en', 'JPY', '1200 yen', '1200'],
  ['en', 'USD', '50 dollars', '50'],
  ['en', 'USD', '50 Dollar', '50'],
  ['en', 'EUR', '1,250.50 euros', '1250.50'],
  ['en', 'EUR', 'euro 12', '12'],
  ['en', 'GBP', '12 pounds', '12'],
  ['de', 'EUR', '12,50 Euro', '12.50'],
  ['de', 'EUR', '12,- EURO', '12'],
  ['de', 'USD', '1.250 Dollar', '1250'],
  ['de', 'CHF', '12,50 Franken', '12.50'],
  ['fr', 'EUR', '12,50 euros', '12.50'],
  ['fr', 'EUR', '1 euro', '1'],
  ['fr', 'CHF', '1 250 francs', '1250'],
  ['es', 'EUR', '12,50 euros', '12.50'],
  ['es', 'USD', '50 dólares', '50'],
  ['pt-BR', 'BRL', '1.250,50 reais', '1250.50'],
  ['pt-BR', 'BRL', '1 real', '1'],
  ['ar', 'SAR', '1250 ريال', '1250'],
  ['ar', 'SAR', '١٢٥٠ ريال سعودي', '1250'],
  ['ar', 'KWD', '1.234 دينار', '1.234'],
] as const)('in %s and %s, “%s” is %s', (language, code, text, amount) => {
  const currency = [USD, JPY, KWD].find((one) => one.code === code) ?? { ...USD, code };
  expect(parseAmount(text, { currency, locale: toLocale(language) })).toBe(amount);
});

test.each([
  ['en', '50 euros'],
  ['en', '50 cents'],
  ['en', 'dollars'],
  ['en', '5 dollars 50'],
  ['en', '1.250 dollars'],
  ['de', '12,50 Euro'],
  ['ja', '1200円'],
] as const)('in %s, “%s” is no amount in dollars', (language, text) =>
  expect(parseAmount(text, { currency: USD, locale: toLocale(language) })).toBeUndefined(),
);

test('three digits after one separator are thousands only where the language separates them so', () => {
  const read = (text: string, currency = USD) =>
    ['de-DE', 'en-US', 'fr-FR'].map((locale) => parseAmount(text, { currency, locale }));
  expect(read('1.250')).toEqual(['1250', undefined, undefined]);
  expect(read('1,250')).toEqual([undefined, '1250', undefined]);
  expect(read('1 250')).toEqual(['1250', '1250', '1250']);
  expect(read('12,50')).toEqual(['12.50', '12.50', '12.50']);
  expect(read('1,250', JPY)).toEqual([undefined, '1250', undefined]);
  expect(read('12,50', JPY)).toEqual([undefined, undefined, undefined]);
  expect(read('1.250', KWD)).toEqual(['1250', '1.250', '1.250']);
  expect(read('1,250', KWD)).toEqual(['1.250', '1250', '1.250']);
  expect(read('1,250,500', KWD)).toEqual(['1250500', '1250500', '1250500']);
  expect(read('1,250.125', KWD)).toEqual([undefined, '1250.125', '1250.125']);
});

describe('the API reads amounts as English writes them, in the currency of the marketplace', () => {
  afterEach(() => setCurrency(USD));

  test.each([
    [JPY, '1235', '1235', 'Price must be a number such as 25 or 1,250, from 0 to 9,999,999,999 without decimals'],
    [
      KWD,
      '1.235',
      '1.235',
      'Price must be a number such as 25, 9.500 or 1,250, from 0 to 99,999,999.999 with at most three decimals',
    ],
  ])('%o', (currency, text, amount, message) => {
    setCurrency(currency);
    expect([Price.parse(text), PriceBound.parse(text), Amount.parse(text)]).toEqual([amount, amount, amount]);
    expect(Price.parse(maxAmount())).toBe(maxAmount());
    for (const wrong of ['12.3456', `1${maxAmount()}`, '12,50 €', 1.23456])
      expect(Price.safeParse(wrong).error?.issues[0]?.message).toBe(message);
  });
});

test('the server reads prices, offers and limits of prices by this rule', () => {
  for (const [schema, name] of [
    [Price, 'Price'],
    [Amount, 'The amount'],
    [PriceBound, 'Price'],
  ] as const) {
    expect(schema.parse('12,50')).toBe('12.50');
    expect(schema.parse('$1.250,00')).toBe('1250.00');
    expect(schema.safeParse('1.250').error?.issues[0]?.message).toMatch(new RegExp(`^${name} must be a number`));
  }
  expect(Price.parse(12.5)).toBe('12.5');
  expect(Price.safeParse('').error?.issues[0]?.message).toBe('Price is required');
  expect(PriceBound.parse(' ')).toBe('');
});
