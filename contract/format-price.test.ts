import { expect, test } from 'vitest';
import { type Language, toLocale } from './languages.ts';
import { formatPrice } from './money.ts';
import type { PriceType } from './prices.ts';
import { toPriceText } from './prices.ts';

test('prices lose the cents of whole dollars and keep all others', () => {
  expect(['0.00', '9.50', '1200.00', '99999999.99'].map((price) => formatPrice(price))).toEqual([
    '$0',
    '$9.50',
    '$1,200',
    '$99,999,999.99',
  ]);
});

test.each<[Language, string, number, string, string]>([
  // the full-width sign, as fonts for Japanese draw it beside full-width characters
  ['ja', 'JPY', 0, '1235', '\uFFE51,235'],
  ['en', 'JPY', 0, '1235', '\u00A51,235'],
  // a no-break space: the sign stays on the line of its amount
  ['de', 'EUR', 2, '1234.50', '1.234,50\u00A0€'],
  ['de', 'EUR', 2, '1234', '1.234\u00A0€'],
  ['fr', 'EUR', 2, '1234.50', '1\u202F234,50\u00A0€'],
  ['pt-BR', 'BRL', 2, '1234.50', 'R$\u00A01.234,50'],
  ['en', 'KWD', 3, '1.234', 'KWD\u00A01.234'],
])('in %s, %s with %d decimals: %s is %s', (language, code, decimals, price, text) =>
  expect(formatPrice(price, { currency: { code, decimals, digits: 8 }, locale: toLocale(language) })).toBe(text),
);

test.each<[PriceType | null, string, string]>([
  ['fixed', '120.00', '$120'],
  ['negotiable', '9.50', '$9.50 or best offer'],
  ['free', '0.00', 'Free'],
  ['wanted', '300.00', 'Wanted for $300'],
  [null, '120.00', '$120'],
])('the price of an ad of type %s says what it means', (priceType, price, text) =>
  expect(toPriceText({ price, priceType })).toBe(text),
);
