import { expect, test } from 'vitest';
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

test.each<[PriceType | null, string, string]>([
  ['fixed', '120.00', '$120'],
  ['negotiable', '9.50', '$9.50 or best offer'],
  ['free', '0.00', 'Free'],
  ['wanted', '300.00', 'Wanted for $300'],
  [null, '120.00', '$120'],
])('the price of an ad of type %s says what it means', (priceType, price, text) =>
  expect(toPriceText({ price, priceType })).toBe(text),
);
