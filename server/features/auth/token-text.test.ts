import { expect, test } from 'vitest';
import { createTokenText, isTokenText } from './token-text.ts';

test('a token has its prefix, 30 characters and a checksum, and no two are alike', () => {
  const tokens = Array.from({ length: 500 }, createTokenText);
  for (const token of tokens)
    expect([token, /^tp_pat_[0-9A-Za-z]{36}$/.test(token), isTokenText(token)]).toEqual([token, true, true]);
  expect(new Set(tokens).size).toBe(500);
});

test('the checksum is the CRC-32 of the 30 characters in base 62, with leading zeros', () => {
  // computed with Python's zlib: 2011552642 and 3941780757
  expect(isTokenText(`tp_pat_${'0'.repeat(30)}2C8GjS`)).toBe(true);
  expect(isTokenText(`tp_pat_${'z'.repeat(30)}4IlJEz`)).toBe(true);
});

test('one wrong, missing or further character is noticed', () => {
  const token = createTokenText();
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'x' ? 'y' : 'x';
    expect(isTokenText(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    expect(isTokenText(token.slice(0, at) + token.slice(at + 1))).toBe(false);
  }
  for (const text of [`${token}x`, ` ${token}`, `${token}\n`, '', 'tp_pat_']) expect(isTokenText(text)).toBe(false);
});
