import { expect, test } from 'vitest';
import { safeReturnTo } from './x-sign-in.ts';

test.each(['/', '/ads/7', '/?search=a%20b&minPrice=5', '/messages/1/2#end', '/users/maya'])('%s is kept', (path) => {
  expect(safeReturnTo(path)).toBe(path);
});

test.each(['😀', 'ж', '日'])('a search of 200 times %s is kept, encoded', (character) => {
  const path = `/?category=books&search=${encodeURIComponent(character.repeat(200))}&minPrice=5`;
  expect(safeReturnTo(path)).toBe(path);
  expect(safeReturnTo(decodeURIComponent(path))).toBe(path);
});

test.each([
  undefined,
  null,
  7,
  ['/a', '/b'],
  '',
  'ads',
  'https://evil.test',
  'https:evil.test',
  'javascript:alert(1)',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/a\r\nSet-Cookie: x=1',
  '/\u0000',
  '/..//evil.test',
  '/./\\evil.test',
  '/%2f/../..//evil.test',
  '/api/auth/twitter',
  '/api/auth/logout',
  `/${'a'.repeat(2100)}`,
  `/?search=${'ж'.repeat(2000)}`,
  '//user:pass@evil.test/',
  'http:///evil.test',
])('%j leads home instead', (value) => {
  expect(safeReturnTo(value)).toBe('/');
});
