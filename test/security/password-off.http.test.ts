import { expect, test } from 'vitest';
import * as auth from '../../contract/auth.ts';
import * as api from '../../contract/passkeys.ts';
import { makeRecoveryCodes } from '../../contract/recovery.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { evict } from '../../server/features/access/evict.ts';
import { setRole } from '../../server/features/admin/service.ts';
import { createPasswords } from '../../server/features/auth/password.ts';
import { updatePasswordHash } from '../../server/features/auth/repository.ts';
import { createAdmin as createAdministrator, resetAdminPassword } from '../../server/features/auth/service.ts';
import { operator } from '../../server/policy.ts';
import { openTestApp } from '../harness/app.ts';
import { createAuthenticator } from '../harness/authenticator.ts';
import { type Client, createBrowser } from '../harness/client.ts';
import { insertUser, nextSerial, PASSWORD } from '../harness/factories.ts';

const { app, url, signIn, createPerson } = await openTestApp();
const OPERATOR = operator('test');
const device = createAuthenticator(url);
const password_hash = await createPasswords().hash(PASSWORD);

/** An administrator without an X account. */
async function createAdmin() {
  const { id } = await insertUser(app, { x_id: null, username: null, role: 'admin' });
  const login = `keeper-${nextSerial()}`;
  await app.db('admin_credentials').insert({ user_id: id, login, password_hash });
  return { id, login, client: await signIn(id, 'password') };
}

async function addPasskey(client: Client) {
  const { credential, passkey } = device.make(await client.ok(api.beginPasskey));
  return { ...passkey, row: await client.ok(api.addPasskey, { body: { name: 'Phone', credential } }) };
}

const enter = (login: string) =>
  createBrowser(url).call(auth.signInAdmin, { body: { username: login, password: PASSWORD } });
const switchOff = async (client: Client) => (await client.call(api.switchPasswordOff)).status;
const remove = async (client: Client, id: string) => (await client.call(api.removePasskey, { params: { id } })).status;

test('a password stays on without a passkey', async () => {
  const { client, login } = await createAdmin();
  expect(await switchOff(client)).toBe(409);
  expect((await enter(login)).status).toBe(200);
});

test('with a passkey it goes off: no password fits, other sessions end, and the passkey signs in', async () => {
  const { id, client, login } = await createAdmin();
  const passkey = await addPasskey(client);
  const elsewhere = await signIn(id, 'password');
  expect(await switchOff(client)).toBe(204);
  expect([(await enter(login)).status, (await elsewhere.call(auth.getMe)).status]).toEqual([401, 401]);
  expect(await client.ok(auth.getMe)).toMatchObject({ hasPassword: false });
  const body = { currentPassword: PASSWORD, newPassword: 'another fine one' };
  expect((await client.call(auth.changePassword, { body })).status).toBe(404);
  expect(await switchOff(client)).toBe(404);
  const credential = passkey.use(await client.ok(api.beginPasskeySignIn));
  expect((await createBrowser(url).ok(api.signInWithPasskey, { body: { credential } })).id).toBe(id);
  const { kind } = (await app.db('sessions').where({ user_id: id }).orderBy('created_at', 'desc').first())!;
  expect(kind).toBe('password');
});

test('a new one of the operator switches it on again', async () => {
  const { id, client, login } = await createAdmin();
  await addPasskey(client);
  expect(await switchOff(client)).toBe(204);
  await inTransaction(app.db, (trx) => updatePasswordHash(trx, id, password_hash));
  expect((await enter(login)).body.hasPassword).toBe(true);
});

test('codes and an address are no way in that lets the last one go', async () => {
  const { id, client } = await createAdmin();
  const passkey = await addPasskey(client);
  await client.ok(makeRecoveryCodes);
  const confirmed = {
    address: `a.${id}@mail.example`,
    uses_x: false,
    opens_account: true,
    confirmed_at: app.db.fn.now(),
  };
  await app.db('email_addresses').insert({ user_id: id, ...confirmed });
  expect(await switchOff(client)).toBe(204);
  expect(await remove(client, passkey.row.id)).toBe(409);
});

test('of a password and a last passkey that go at once, one stays', async () => {
  const { client } = await createAdmin();
  const passkey = await addPasskey(client);
  const statuses = await Promise.all([switchOff(client), remove(client, passkey.row.id)]);
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  const [me, passkeys] = [await client.ok(auth.getMe), await client.ok(api.listPasskeys)];
  expect(Number(me.hasPassword) + passkeys.length).toBe(1);
});

test('who has X, or a password that is on, may remove the last passkey', async () => {
  for (const { client } of [await createPerson(), await createAdmin()])
    expect(await remove(client, (await addPasskey(client)).row.id)).toBe(204);
});

test('a password that the operator disabled is no way in', async () => {
  const { id, client } = await createAdmin();
  const passkey = await addPasskey(client);
  await app.db('admin_credentials').where({ user_id: id }).update({ disabled_at: app.db.fn.now() });
  expect(await remove(client, passkey.row.id)).toBe(409);
});

test('an eviction leaves the last way in, unless the operator says so', async () => {
  const { id, client } = await createAdmin();
  await addPasskey(client);
  expect(await switchOff(client)).toBe(204);
  await expect(evict(app, OPERATOR, id)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('admin reset-password'),
  });
  expect((await client.call(auth.getMe)).status).toBe(200);
  expect(await client.ok(api.listPasskeys)).toHaveLength(1);
  expect(await evict(app, OPERATOR, id, { alsoLast: true })).toMatchObject({ passkeys: 1 });
  const other = await createAdmin();
  await addPasskey(other.client);
  expect(await evict(app, OPERATOR, other.id)).toMatchObject({ passkeys: 1 });
});

test('a lower role leaves a person whom nothing but a password lets in an administrator', async () => {
  const { id, client } = await createAdmin();
  const role = async () => (await app.db('users').where({ id }).first('role')).role;
  await expect(setRole(app, OPERATOR, id, 'user')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('admin disable'),
  });
  expect([await role(), (await client.call(auth.getMe)).status]).toEqual(['admin', 200]);
  await addPasskey(client);
  expect([await setRole(app, OPERATOR, id, 'user'), await role()]).toEqual([true, 'user']);
});

test('a password that is added or changed is told, and ends other sessions', async () => {
  const person = await createPerson();
  const told = async () =>
    (await app.db('notifications').where({ user_id: person.id }).orderBy('id')).map(({ params }) => params.is);
  const countSessions = async () => (await app.db('sessions').where({ user_id: person.id })).length;
  const login = `keeper-${nextSerial()}`;
  await createAdministrator(app, OPERATOR, { login, password: 'the first of them', handle: person.username! });
  expect([await told(), await countSessions()]).toEqual([['passwordAdded'], 0]);
  await resetAdminPassword(app, OPERATOR, login, { password: PASSWORD });
  expect(await told()).toEqual(['passwordAdded', 'passwordChanged']);
  const browser = createBrowser(url);
  await browser.ok(auth.signInAdmin, { body: { username: login, password: PASSWORD } });
  await browser.ok(auth.changePassword, { body: { currentPassword: PASSWORD, newPassword: 'another fine one' } });
  expect(await told()).toEqual(['passwordAdded', 'passwordChanged', 'passwordChanged']);
});
