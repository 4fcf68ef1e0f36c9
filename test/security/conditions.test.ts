import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listConditions } from './conditions.ts';
import { GUARDS } from './guards.ts';

test('a rule is taken apart into its conditions', () => {
  const source = `export const a = (x: X): boolean => x.ok && (b(x, 1) || !c(x));
const notExported = (x: X): boolean => x.no;
export const d = (x: X): boolean =>
  x === 'y' || (x === 'z' ? e(x) : f(x));`;
  const found = listConditions(source);
  expect(found.map(({ rule, text }) => `${rule}: ${text}`)).toEqual([
    'a: x.ok',
    'a: b(x, 1)',
    'a: !c(x)',
    "d: x === 'y'",
    "d: x === 'z'",
    'd: e(x)',
    'd: f(x)',
  ]);
  for (const { text, from, to } of found) expect(source.slice(from, to)).toBe(text);
});

test('every rule of the policy is found', () => {
  const source = readFileSync(new URL('../../server/policy.ts', import.meta.url), 'utf8');
  const rules = new Set(listConditions(source).map(({ rule }) => rule));
  expect(rules.size).toBe(source.match(/^export const (is|may)\w+/gm)?.length);
});

test.each(GUARDS)('$file still says $guard', ({ file, guard }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(guard);
});
