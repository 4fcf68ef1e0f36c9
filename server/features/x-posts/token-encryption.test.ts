import { expect, test } from 'vitest';
import { createTokenEncryption } from './tokens.ts';

const FIRST = 'the-first-key-of-at-least-thirty-two-bytes';
const SECOND = 'the-second-key-of-at-least-thirty-two-bytes';
const owner = { userId: '10001', env: 'sandbox', kind: 'access' } as const;

test('an encrypted token decrypts, and no two ciphertexts are alike', () => {
  const encryption = createTokenEncryption([FIRST]);
  const encrypted = encryption.encrypt('a-token', owner);
  expect(encryption.decrypt(encrypted, encryption.keyId, owner)).toBe('a-token');
  expect(encryption.encrypt('a-token', owner).equals(encrypted)).toBe(false);
  expect(encrypted.toString('latin1')).not.toContain('a-token');
});

test('a new first key encrypts, the old one still decrypts; once it is removed, nothing decrypts', () => {
  const old = createTokenEncryption([FIRST]);
  const rotated = createTokenEncryption([SECOND, FIRST]);
  const encrypted = old.encrypt('a-token', owner);
  expect(rotated.keyId).not.toBe(old.keyId);
  expect(rotated.decrypt(encrypted, old.keyId, owner)).toBe('a-token');
  expect(() => createTokenEncryption([SECOND]).decrypt(encrypted, old.keyId, owner)).toThrow('no key');
});

test('a ciphertext decrypts for its owner only, and not after a bit of it has changed', () => {
  const encryption = createTokenEncryption([FIRST]);
  const encrypted = encryption.encrypt('a-token', owner);
  for (const other of [{ userId: '10002' }, { env: 'live' as const }, { kind: 'refresh' as const }])
    expect(() => encryption.decrypt(encrypted, encryption.keyId, { ...owner, ...other })).toThrow();
  for (const at of [0, 20, encrypted.length - 1]) {
    const broken = Buffer.from(encrypted);
    broken[at]! ^= 1;
    expect(() => encryption.decrypt(broken, encryption.keyId, owner)).toThrow();
  }
});
