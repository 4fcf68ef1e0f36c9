import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUARDS } from './guards.ts';
import { findGuard, listConditions } from './mutants.ts';

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

test.each(GUARDS)('$in still contains the guard $guard', (guard) => {
  const { file, from, to } = findGuard(guard);
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(source.slice(from, to).length).toBeGreaterThan(0);
});

test('a guard is found whatever its quotes and line breaks, and a missing one is named', () => {
  const guard = { in: 'mayCall', guard: 'if (access === `public`)\n  return   true', without: '' };
  const { file, from, to } = findGuard(guard);
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(source.slice(from, to)).toBe("if (access === 'public') return true");
  expect(() => findGuard({ ...guard, in: 'mayCallRenamed' })).toThrow('no declaration of mayCallRenamed');
  expect(() => findGuard({ ...guard, guard: 'access === "nobody"' })).toThrow('0 times, not once: access === "nobody"');
});

test('a rule with a body is taken apart by what it returns', () => {
  const source = 'export function a(x: X): boolean {\n  if (x.y) return true;\n  return x.ok && x.z;\n}';
  expect(listConditions(source).map(({ text }) => text)).toEqual(['x.y', 'x.ok', 'x.z']);
});
