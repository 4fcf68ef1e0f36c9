import { expect, test } from 'vitest';
import { createTokenEncryption } from './tokens.ts';

const FIRST = 'the-first-key-of-at-least-thirty-two-bytes';
const SECOND = 'the-second-key-of-at-least-thirty-two-bytes';
const owner = { userId: '10001', env: 'sandbox', kind: 'access' } as const;

test('what was sealed opens again, and no two seals are alike', () => {
  const vault = createTokenEncryption([FIRST]);
  const sealed = vault.seal('a-token', owner);
  expect(vault.open(sealed, vault.keyId, owner)).toBe('a-token');
  expect(vault.seal('a-token', owner).equals(sealed)).toBe(false);
  expect(sealed.toString('latin1')).not.toContain('a-token');
});

test('a new first key seals, the old one still opens; once it is gone, nothing opens', () => {
  const old = createTokenEncryption([FIRST]);
  const rotated = createTokenEncryption([SECOND, FIRST]);
  const sealed = old.seal('a-token', owner);
  expect(rotated.keyId).not.toBe(old.keyId);
  expect(rotated.open(sealed, old.keyId, owner)).toBe('a-token');
  expect(() => createTokenEncryption([SECOND]).open(sealed, old.keyId, owner)).toThrow('no key');
});

test('a seal opens for its owner only, and not once a bit of it has changed', () => {
  const vault = createTokenEncryption([FIRST]);
  const sealed = vault.seal('a-token', owner);
  for (const other of [{ userId: '10002' }, { env: 'live' as const }, { kind: 'refresh' as const }])
    expect(() => vault.open(sealed, vault.keyId, { ...owner, ...other })).toThrow();
  for (const at of [0, 20, sealed.length - 1]) {
    const broken = Buffer.from(sealed);
    broken[at]! ^= 1;
    expect(() => vault.open(broken, vault.keyId, owner)).toThrow();
  }
});
