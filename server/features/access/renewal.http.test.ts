import { expect, test } from 'vitest';
import { getMe } from '../../../contract/auth.ts';
import { removeMyEmail } from '../../../contract/email.ts';
import * as passkeys from '../../../contract/passkeys.ts';
import { deleteRecoveryCodes, makeRecoveryCodes } from '../../../contract/recovery.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createAuthenticator } from '../../../test/harness/authenticator.ts';
import { type Client, createClient } from '../../../test/harness/client.ts';
import { insertAdmin } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';

const { app, url, createPerson, signIn } = await openTestApp();

const addPasskey = async (client: Client) => {
  const { credential } = createAuthenticator(url).make(await client.ok(passkeys.beginPasskey));
  return client.ok(passkeys.addPasskey, { body: { name: 'Phone', credential } });
};

/** Prepares a change of the ways in of this person. */
const CHANGES: Record<string, (client: Client, id: string) => Promise<() => Promise<unknown>>> = {
  'a passkey is added': async (client) => () => addPasskey(client),
  'a passkey is removed': async (client) => {
    const { id } = await addPasskey(client);
    return () => client.ok(passkeys.removePasskey, { params: { id } });
  },
  'codes are made': async (client) => () => client.ok(makeRecoveryCodes),
  'codes are deleted': async (client) => {
    await client.ok(makeRecoveryCodes);
    return () => client.ok(deleteRecoveryCodes);
  },
  'the confirmed address is removed': async (client, id) => {
    const row = { user_id: id, address: `a${id}@mail.example`, uses_x: false, opens_account: true };
    await app.db('email_addresses').insert({ ...row, confirmed_at: app.db.fn.now() });
    return () => client.ok(removeMyEmail);
  },
};

const later = () => app.db.raw("update sessions set expires_at = expires_at - interval '10 seconds'");

test.each(Object.entries(CHANGES))(
  'when %s, the session has another id, and the former one ends',
  async (_, prepare) => {
    const { id, client } = await createPerson();
    const change = await prepare(client, id);
    const { Cookie } = client.headers;
    const thief = createClient(url, { Cookie: `${Cookie}; ${JUST_WROTE}` });
    const [before] = await app.db('sessions').where({ user_id: id }).orderBy('expires_at', 'desc');
    await change();
    expect(client.headers.Cookie).not.toBe(Cookie);
    // what is under way is answered, and changes no way in
    expect((await thief.call(getMe)).status).toBe(200);
    expect((await thief.call(makeRecoveryCodes)).status).toBe(401);
    await later();
    expect((await thief.call(getMe)).status).toBe(401);
    expect((await client.call(getMe)).status).toBe(200);
    const [renewed] = await app.db('sessions').where({ user_id: id }).orderBy('expires_at', 'desc');
    expect(Date.parse(before.expires_at) - Date.parse(renewed.expires_at)).toBe(10_000);
  },
);

test('what changes nothing leaves the session as it is', async () => {
  const { client } = await createPerson();
  const { Cookie } = client.headers;
  await client.ok(deleteRecoveryCodes);
  expect((await client.call(passkeys.removePasskey, { params: { id: '999999' } })).status).toBe(404);
  expect(client.headers.Cookie).toBe(Cookie);
});

test('the session of an administrator who switches the password off is renewed, too', async () => {
  const { id } = await insertAdmin(app);
  const client = await signIn(id, 'password');
  await addPasskey(client);
  const { Cookie } = client.headers;
  await client.ok(passkeys.switchPasswordOff);
  expect(client.headers.Cookie).not.toBe(Cookie);
  expect((await client.call(getMe)).status).toBe(200);
});
