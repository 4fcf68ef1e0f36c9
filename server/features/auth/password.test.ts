import { expect, test } from 'vitest';
import { createGate, createPasswords, isCommonPassword } from './password.ts';

test('a password is known by its hash, in any Unicode form, and never trimmed or cut', async () => {
  const passwords = createPasswords();
  const long = `${'x'.repeat(1000)}é`;
  const hash = await passwords.hash(long);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(hash, long.normalize('NFD'))).toBe(true);
  expect(await passwords.verify(hash, `${long} `)).toBe(false);
  expect(await passwords.verify(hash, long.slice(0, -1))).toBe(false);
  expect(await passwords.verify(undefined, long)).toBe(false);
});

test('four checks run at once, sixteen wait, the next is refused as overload', async () => {
  const pass = createGate(4, 16);
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 21 }, () =>
    pass(async () => {
      most = Math.max(most, ++running);
      await release.promise;
      running--;
    }),
  );
  const ends = Promise.allSettled(jobs);
  release.resolve();
  const refused = (await ends).filter(({ status }) => status === 'rejected');
  expect([most, refused.length]).toEqual([4, 1]);
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
  await expect(pass(async () => 'again')).resolves.toBe('again');
});

test('a failing check gives its place to the next', async () => {
  const pass = createGate(1, 5);
  await expect(pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(pass(async () => 1)).resolves.toBe(1);
});

test.each([
  'password',
  'Password1!',
  '123456',
  '654321',
  'qwerty',
  'aaaaaa',
  'abcabc',
  'letmein2026',
  'admin123',
  '!!welcome!!',
  'abcdef',
])('%s is common', (password) => expect(isCommonPassword(password)).toBe(true));

test.each(['correct horse battery', 'tR7#kq', 'blue kettle on hill', 'Ünübliches'])('%s is not', (password) =>
  expect(isCommonPassword(password)).toBe(false),
);
