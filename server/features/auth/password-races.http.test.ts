import { beforeEach, expect, test } from 'vitest';
import * as auth from '../../../contract/auth.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createBrowser } from '../../../test/harness/client.ts';
import { operator } from '../../policy.ts';
import { getPasswords } from './password.ts';
import { createAdmin, resetAdminPassword, setAdminDisabled } from './service.ts';

const { app, url } = await openTestApp();
const OPERATOR = operator('cli:test');
const [OLD, RESET, CHOSEN] = ['correct horse battery', 'quite another thing', 'what a thief would like'];
const LOGIN = { username: 'root', password: OLD };

beforeEach(async () => {
  await app.db('notifications').delete();
  await app.db('users').delete();
  for (const login of ['root', 'second']) await createAdmin(app, OPERATOR, { login, password: OLD });
});

/** Does `meanwhile` when a password has just been found right, before anything is made of it. */
async function whileVerified<T>(meanwhile: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const passwords = getPasswords(app);
  const { verify } = passwords;
  passwords.verify = async (hash, password) => {
    const isRight = await verify(hash, password);
    passwords.verify = verify;
    await meanwhile();
    return isRight;
  };
  return work();
}

const reset = () => resetAdminPassword(app, OPERATOR, 'root', { password: RESET });
const sessions = () => app.db('sessions').whereNotNull('user_id');
const signIn = (password: string) =>
  createBrowser(url).call(auth.signInAdmin, { body: { username: 'root', password } });

test('a sign-in that overlaps a reset of the password gets no session', async () => {
  const { status, headers } = await whileVerified(reset, () => signIn(OLD));
  expect([status, headers.get('set-cookie'), await sessions()]).toEqual([401, null, []]);
  expect((await signIn(RESET)).status).toBe(200);
});

test('nor does one that overlaps the disabling of the account', async () => {
  const disable = () => setAdminDisabled(app, OPERATOR, 'root', true);
  expect((await whileVerified(disable, () => signIn(OLD))).status).toBe(401);
  expect(await sessions()).toEqual([]);
});

test('a reset wins over a change by a person who knows the old password', async () => {
  const browser = createBrowser(url);
  await browser.ok(auth.signInAdmin, { body: LOGIN });
  const body = { currentPassword: OLD, newPassword: CHOSEN };
  expect((await whileVerified(reset, () => browser.call(auth.changePassword, { body }))).status).toBe(401);
  expect(await sessions()).toEqual([]);
  expect((await signIn(CHOSEN)).status).toBe(401);
  expect((await signIn(RESET)).status).toBe(200);
});

/** Does `meanwhile` while the insertion of a session waits, after the transaction before it has committed. */
async function whileSessionWaits<T>(meanwhile: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  await app.db.raw(`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
    create trigger wait before insert on sessions for each row execute function wait()`);
  const holder = await app.db.transaction();
  await holder.raw('select pg_advisory_xact_lock(4711)');
  const working = work();
  const waiting = () => app.db('pg_locks').where({ locktype: 'advisory', objid: 4711, granted: false });
  await expect.poll(waiting).toHaveLength(1);
  await meanwhile();
  await holder.commit();
  return working.finally(() => app.db.raw('drop function wait cascade'));
}

test('a change that a reset follows before its new session begins leaves no session', async () => {
  const browser = createBrowser(url);
  await browser.ok(auth.signInAdmin, { body: LOGIN });
  const body = { currentPassword: OLD, newPassword: CHOSEN };
  const { status } = await whileSessionWaits(reset, () => browser.call(auth.changePassword, { body }));
  expect([status, await sessions()]).toEqual([401, []]);
  expect((await signIn(RESET)).status).toBe(200);
});
