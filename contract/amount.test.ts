import { describe, expect, test } from 'vitest';
import { parseAmount } from './amount.ts';
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

describe.each([
  ['en-US', ','],
  ['de-DE', '.'],
] as const)('in the language %s', (language, group) => {
  const canonical = (amount: number) => parseAmount(String(amount));
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const price = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const amounts = Array.from({ length: 400 }, (_, n) => Math.round(1.047 ** n * 7 + n) / 100);

  test('an amount is read as the language writes it, with and without cents and currency', () => {
    for (const amount of amounts) {
      const [plain, full] = [number.format(amount), price.format(amount)];
      expect([plain, Number(parseAmount(plain, group))]).toEqual([plain, Number(canonical(amount))]);
      expect([full, Number(parseAmount(full, group))]).toEqual([full, amount]);
    }
  });

  test('every text is read as in the other language, or is an error in one of the two', () => {
    const other = group === ',' ? '.' : ',';
    for (const text of new Set(listTexts(6))) {
      const [here, there] = [parseAmount(text, group), parseAmount(text, other)];
      if (here !== undefined && there !== undefined) expect([text, here]).toEqual([text, there]);
    }
  });
});

test('three digits after one separator are thousands only where the language separates them so', () => {
  expect([parseAmount('1.250', '.'), parseAmount('1.250', ',')]).toEqual(['1250', undefined]);
  expect([parseAmount('1,250', '.'), parseAmount('1,250', ',')]).toEqual([undefined, '1250']);
  for (const group of ['.', ','] as const) expect(parseAmount('12,50', group)).toBe('12.50');
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
