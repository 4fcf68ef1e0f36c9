import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NEEDS_POSTGRES, REPLACE_MODULES } from '../../vitest.config.ts';

test('tests with a database that replace modules load their own modules', () => {
  const files = globSync(NEEDS_POSTGRES).filter((path) => /vi\.(do)?mock\(/i.test(readFileSync(path, 'utf8')));
  expect(files.toSorted()).toEqual(REPLACE_MODULES);
});
