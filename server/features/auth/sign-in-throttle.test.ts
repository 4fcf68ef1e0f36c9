import { expect, test } from 'vitest';
import { getSignInDelay } from './sign-in-throttle.ts';

test('the delay grows with the failures and has a limit', () => {
  expect([0, 9, 10, 11, 12, 14, 15, 1000].map((failures) => getSignInDelay(failures, 10))).toEqual([
    0, 0, 250, 500, 1000, 4000, 5000, 5000,
  ]);
});
