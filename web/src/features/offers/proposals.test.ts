import { expect, test } from 'vitest';
import { DEFAULT_CURRENCY, setCurrency } from '../../../../contract/money.ts';
import { proposeOffers } from './proposals.ts';

test.each([
  [
    '240.00',
    [
      [10, '216'],
      [15, '204'],
      [20, '192'],
    ],
  ],
  [
    '99.50',
    [
      [10, '90'],
      [15, '85'],
      [20, '80'],
    ],
  ],
  [
    '9.00',
    [
      [10, '8'],
      [20, '7'],
    ],
  ],
  ['2.00', []],
  ['1.00', []],
  ['0.00', []],
])('for a price of %s it proposes %j', (price, expected) => {
  expect(proposeOffers(price).map(({ percent, amount }) => [percent, amount])).toEqual(expected);
});

test.each([
  [{ code: 'JPY', decimals: 0, digits: 10 }, '12345', ['11110', '10490', '9880']],
  [{ code: 'KWD', decimals: 3, digits: 8 }, '4.500', ['4.1', '3.8', '3.6']],
])('they are round in the currency: %o', (currency, price, amounts) => {
  setCurrency(currency);
  expect(proposeOffers(price).map(({ amount }) => amount)).toEqual(amounts);
  setCurrency(DEFAULT_CURRENCY);
});
