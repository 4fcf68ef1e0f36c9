import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXCEPTIONS, findRefused, type Licensed } from './licences.ts';

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
const shipped: Licensed[] = Object.entries<Locked>(lock.packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ''), licence: license }));

// `make docker-test` checks the packages in the pages and in the image itself.
test('the image may contain every package that the server depends on', () => {
  expect(shipped.length).toBeGreaterThan(100);
  expect(findRefused(shipped)).toEqual([]);
});

test.each(EXCEPTIONS)('the exception for $name is needed', ({ name, licence }) => {
  const covered = shipped.filter((one) => name.test(one.name));
  expect(covered.some((one) => one.licence?.split(' AND ').includes(licence))).toBe(true);
});

test.each<[string | undefined, boolean]>([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0-only', false],
  ['(MIT OR GPL-3.0-only) AND AGPL-3.0-only', false],
  ['MIT OR (ISC AND GPL-3.0-only)', false],
  ['LGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE.txt', false],
  ['', false],
  [undefined, false],
])('a package under %j: %j', (licence, isFine) => {
  expect(findRefused([{ name: 'some-package', licence }]).length === 0).toBe(isFine);
});
