import { expect, test } from 'vitest';
import { readConfig } from '../../config/load.ts';
import { readLink, signLink } from './link-tokens.ts';

const START = Date.parse('2026-11-23T12:00:00Z');
const KEYS = ['first-key-of-the-site-0123456789abcdef', 'older-key-of-the-site-0123456789abcdef'];

const at = (seconds = 0, sessionKeys = KEYS, nodeEnv = 'test') => ({
  config: {
    ...readConfig({ NODE_ENV: 'test', SESSION_KEYS: sessionKeys.join(',') }),
    isProduction: nodeEnv !== 'test',
  },
  clock: { now: () => new Date(START + seconds * 1000) },
});

const payload = { userId: '10001', userSince: START, kind: 'price_drop' } as const;
const token = signLink(at(), 'unsubscribe', payload, 60);

test('a token is valid for its purpose until its time is over, and can be read afterwards', () => {
  expect(readLink(at(59), 'unsubscribe', token)).toEqual({ state: 'valid', payload });
  expect(readLink(at(60), 'unsubscribe', token)).toEqual({ state: 'expired', payload });
});

test('a token of one purpose is invalid for another', () => {
  expect(readLink(at(), 'verify-email', token)).toEqual({ state: 'invalid' });
});

test('a rotated key still verifies, a removed one does not', () => {
  const [first, older] = KEYS as [string, string];
  const before = signLink(at(0, [older]), 'unsubscribe', payload, 60);
  expect(readLink(at(0, [first, older]), 'unsubscribe', before)).toEqual({ state: 'valid', payload });
  expect(readLink(at(0, [first]), 'unsubscribe', before)).toEqual({ state: 'invalid' });
});

const [content = '', signature = ''] = token.split('.');
const forged = Buffer.from(JSON.stringify([9_999_999_999, { ...payload, userId: '1' }])).toString('base64url');

test.each([
  ['empty', ''],
  ['without a signature', content],
  ['with an empty signature', `${content}.`],
  ['with another content', `${forged}.${signature}`],
  ['with a part too many', `${token}.${signature}`],
  ['with a padded signature', `${token}=`],
  ['with other trailing bits', token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1)],
  ['of 10 kB', 'a'.repeat(10_000)],
  ['of NUL', '\0.\0'],
])('a token %s is invalid', (_, bad) => {
  expect(readLink(at(), 'unsubscribe', bad)).toEqual({ state: 'invalid' });
});

test('a production process without keys signs nothing', () => {
  const sample = readConfig({ NODE_ENV: 'test' });
  const ctx = { ...at(), config: { ...sample, isProduction: true } };
  expect(() => signLink(ctx, 'unsubscribe', payload, 60)).toThrow('SESSION_KEYS is not set');
});
