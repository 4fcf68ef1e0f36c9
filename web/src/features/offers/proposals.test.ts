import { expect, test } from 'vitest';
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
