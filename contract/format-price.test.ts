import { expect, test } from 'vitest';
import { formatPrice } from './scalars.ts';

test('prices lose the cents of whole dollars and keep all others', () => {
  expect(['0.00', '9.50', '1200.00', '99999999.99'].map(formatPrice)).toEqual([
    '$0',
    '$9.50',
    '$1,200',
    '$99,999,999.99',
  ]);
});
