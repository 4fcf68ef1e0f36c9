import { expect, test } from 'vitest';
import { createUploadQuota } from './body.ts';

test('one person cannot take all the room for uploads, and gets it back when theirs are done', () => {
  const budget = createUploadQuota(100);
  const done = budget.take(40, 'u1');
  expect(() => budget.take(20, 'u1')).toThrow('busy');
  budget.take(50, 'u2');
  expect(() => budget.take(20, 'u3')).toThrow('busy');
  done();
  done();
  budget.take(50, 'u1');
});
