import { beforeEach, describe, expect, test } from 'vitest';
import { getMe, signInAdmin } from '../../../contract/auth.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import * as api from '../../../contract/passkeys.ts';
import { makeRecoveryCodes } from '../../../contract/recovery.ts';
import { deleteMe } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createAuthenticator, type Lies, type SoftPasskey } from '../../../test/harness/authenticator.ts';
import { type Client, createBrowser } from '../../../test/harness/client.ts';
import { insertAdmin, insertUser, PASSWORD } from '../../../test/harness/factories.ts';
import { openToken } from '../../../test/harness/sessions.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { operator } from '../../policy.ts';
import { findUserActor } from '../auth/repository.ts';
import { evict } from './evict.ts';
import { removePasskey } from './passkeys.ts';
import { listPasskeys } from './passkeys-repository.ts';

const { app, url, anonymous, createPerson, signIn } = await openTestApp();
const device = createAuthenticator(url);

async function add(client: Client, name = 'Phone'): Promise<SoftPasskey & { rowId: string }> {
  const { credential, passkey } = device.make(await client.ok(api.beginPasskey));
  const { id } = await client.ok(api.addPasskey, { body: { name, credential } });
  return { ...passkey, rowId: id };
}

const begin = (client: Client = anonymous) => client.ok(api.beginPasskeySignIn);

const use = async (passkey: SoftPasskey, lies?: Lies, client: Client = createBrowser(url)) =>
  client.call(api.signInWithPasskey, { body: { credential: passkey.use(await begin(), lies) } });

/** The sessions of this person, without former ids. */
const listLasting = (id: string) =>
  app.db('sessions').where({ user_id: id }).whereRaw("expires_at > now() + interval '1 minute'");

const isSignedIn = async (client: Client) => (await client.call(getMe)).status === 200;

beforeEach(() => app.db('passkey_challenges').delete());

describe('adding', () => {
  test('asks for a discoverable key, verification and no attestation, for the host of PUBLIC_URL alone', async () => {
    const person = await createPerson();
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    const options = await person.client.ok(api.beginPasskey, { headers: forged });
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: app.config.siteName },
      user: { name: `@${person.username}`, displayName: person.display_name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000,
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    expect(options.user.id).not.toContain(Buffer.from(person.id).toString('base64url'));
  });

  test('lists it, with a name that can change, and keeps it from being made twice', async () => {
    const { id: personId, client } = await createPerson();
    const first = await add(client, 'Phone');
    const second = await add(client, 'Laptop');
    const renamed = await client.ok(api.renamePasskey, { params: { id: first.rowId }, body: { name: ' Old phone ' } });
    expect(renamed.name).toBe('Old phone');
    const [entry] = await app.db('audit_log').where({ action: 'passkey.rename', target_id: personId });
    expect(entry.details).toEqual({ name: 'Old phone' });
    const listed = await client.ok(api.listPasskeys);
    expect(listed.map(({ name, lastUsedAt }) => [name, lastUsedAt])).toEqual([
      ['Laptop', null],
      ['Old phone', null],
    ]);
    const again = await client.ok(api.beginPasskey);
    expect(again.excludeCredentials.map(({ id }) => id)).toEqual([second.id, first.id]);
    // an authenticator keeps one passkey for each handle
    expect([first.handle, second.handle]).toEqual([again.user.id, again.user.id]);
  });

  test('refuses a key that is registered, whoever has it', async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    await add(one.client);
    const forOther = device.make(await other.client.ok(api.beginPasskey));
    await app
      .db('passkeys')
      .where({ user_id: one.id })
      .update({ credential_id: Buffer.from(forOther.credential.id, 'base64url') });
    const { status, body } = await other.client.call(api.addPasskey, {
      body: { name: 'Stolen', credential: forOther.credential },
    });
    expect([status, body.message]).toEqual([409, 'This passkey is already registered.']);
  });

  const LIES: Record<string, Lies> = {
    'another origin': { origin: 'https://evil.example' },
    'an origin of the same host with another port': { origin: 'http://localhost:1' },
    'another host': { rpId: 'evil.example' },
    'a challenge of its own': { challenge: Buffer.alloc(32, 7).toString('base64url') },
    'no challenge': { challenge: '' },
    'an answer of another kind': { type: 'webauthn.get' },
    'nobody present': { flags: 0b100 },
    'nobody verified': { flags: 0b001 },
  };
  test.each(Object.entries(LIES))('refuses %s, and its challenge is used up', async (_, lies) => {
    const { client } = await createPerson();
    const options = await client.ok(api.beginPasskey);
    const lied = await client.call(api.addPasskey, {
      body: { name: 'Phone', credential: device.make(options, lies).credential },
    });
    expect([lied.status, lied.body.message]).toEqual([
      409,
      'The passkey was not added: it took too long, or it was not made for this site. Try again.',
    ]);
    expect(await client.ok(api.listPasskeys)).toEqual([]);
  });

  test('takes a statement that the new key signs itself, and looks at no certificate', async () => {
    const { client } = await createPerson();
    const send = async (attestation: Lies['attestation']) => {
      const { credential } = device.make(await client.ok(api.beginPasskey), { attestation });
      return (await client.call(api.addPasskey, { body: { name: 'Phone', credential } })).status;
    };
    expect(await send('packed')).toBe(201);
    expect(await send('android-key')).toBe(409);
    // refused before the challenge was looked at: certificates name addresses, which the library fetches
    expect(await app.db('passkey_challenges')).toHaveLength(1);
  });

  test('a session that ends while the body arrives adds nothing', async () => {
    const { id, client } = await createPerson();
    const { credential } = device.make(await client.ok(api.beginPasskey));
    await app.db.raw(`
      create function sign_out() returns trigger language plpgsql as
        $$ begin delete from sessions where user_id = ${id}; return old; end $$;
      create trigger sign_out after delete on passkey_challenges for each row execute function sign_out()`);
    const added = await client
      .call(api.addPasskey, { body: { name: 'Phone', credential } })
      .finally(() => app.db.raw('drop function sign_out cascade'));
    expect(added.status).toBe(401);
    expect(await app.db('passkeys').where({ user_id: id })).toEqual([]);
  });

  test('a challenge works once, for five minutes, for who asked, and for nothing else', async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    const send = async (client: Client, options: api.CreationOptions) =>
      (await client.call(api.addPasskey, { body: { name: 'Phone', credential: device.make(options).credential } }))
        .status;
    const options = await one.client.ok(api.beginPasskey);
    expect(await send(other.client, options)).toBe(409);
    expect(await send(one.client, options)).toBe(201);
    expect(await send(one.client, options)).toBe(409);
    const { challenge } = await begin(one.client);
    expect(await send(one.client, { ...options, challenge })).toBe(409);
    const late = await one.client.ok(api.beginPasskey);
    await app.db.raw("update passkey_challenges set expires_at = expires_at - interval '301 seconds'");
    expect(await send(one.client, late)).toBe(409);
  });

  test('ends the other sessions and tells the person by notification and mail', async () => {
    const person = await createPerson();
    const elsewhere = await signIn(person.id);
    await add(person.client);
    expect([await isSignedIn(person.client), await isSignedIn(elsewhere)]).toEqual([true, false]);
    const [notification] = await person.client.ok(listNotifications);
    expect(notification).toMatchObject({
      kind: 'notice',
      title: 'A passkey was added to your account',
      url: '/preferences#passkeys',
    });
    const { rows: jobs } = await app.db.raw(
      "select payload from graphile_worker._private_jobs where task_id = (select id from graphile_worker._private_tasks where identifier = 'mail-access-news') order by id desc limit 1",
    );
    expect(jobs[0].payload).toMatchObject({ notificationId: notification!.id });
  });

  test(`at most ${LIMITS.passkeys}`, async () => {
    const { id, client } = await createPerson();
    const options = await client.ok(api.beginPasskey);
    await app.db.raw(
      `insert into passkeys (user_id, credential_id, user_handle, public_key, counter, name)
       select ?, decode(md5(random()::text), 'hex'), ?, 'x', 0, n::text from generate_series(1, ?) n`,
      [id, Buffer.from(options.user.id, 'base64url'), LIMITS.passkeys],
    );
    expect((await client.call(api.beginPasskey)).status).toBe(409);
    const { credential } = device.make(options);
    expect((await client.call(api.addPasskey, { body: { name: 'One more', credential } })).status).toBe(409);
    expect(await client.ok(api.listPasskeys)).toHaveLength(LIMITS.passkeys);
  });
});

describe('signing in', () => {
  test('needs no name, starts a session under a new id, and notes the use', async () => {
    const person = await createPerson();
    const passkey = await add(person.client);
    const browser = createBrowser(url);
    expect((await use(passkey, {}, browser)).body).toMatchObject({ id: person.id, username: person.username });
    const before = browser.cookies.get('connect.sid');
    expect(await isSignedIn(browser)).toBe(true);
    expect((await use(passkey, {}, browser)).status).toBe(200);
    expect(browser.cookies.get('connect.sid')).not.toBe(before);
    const [listed] = await person.client.ok(api.listPasskeys);
    expect(listed!.lastUsedAt).not.toBeNull();
  });

  const LIES: Record<string, Lies> = {
    'another origin': { origin: 'https://evil.example' },
    'another host': { rpId: 'evil.example' },
    'a challenge of its own': { challenge: Buffer.alloc(32, 7).toString('base64url') },
    'an answer of another kind': { type: 'webauthn.create' },
    'nobody present': { flags: 0b100 },
    'nobody verified': { flags: 0b001 },
    'another key': { otherKey: true },
    'no handle': { userHandle: null },
    'the handle of another person': { userHandle: Buffer.alloc(32).toString('base64url') },
  };
  test.each(Object.entries(LIES))('refuses %s', async (_, lies) => {
    const { client } = await createPerson();
    const { status, headers } = await use(await add(client), lies);
    expect([status, headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('an answer works once, for five minutes, and not with the challenge of a registration', async () => {
    const { client } = await createPerson();
    const passkey = await add(client);
    const send = async (options: api.RequestOptions) =>
      (await createBrowser(url).call(api.signInWithPasskey, { body: { credential: passkey.use(options) } })).status;
    const options = await begin();
    const replayed = await Promise.all([send(options), send(options), send(options)]);
    expect(replayed.toSorted()).toEqual([200, 401, 401]);
    const { challenge } = await client.ok(api.beginPasskey);
    expect(await send({ ...options, challenge })).toBe(401);
    const late = await begin();
    await app.db.raw("update passkey_challenges set expires_at = expires_at - interval '301 seconds'");
    expect(await send(late)).toBe(401);
  });

  test('a counter that goes back or stands still locks nobody out', async () => {
    const { client } = await createPerson();
    const passkey = await add(client);
    const statuses = [];
    for (const counter of [7, 9, 9, 3, 0]) statuses.push((await use(passkey, { counter })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  test('an unknown passkey is refused in words that help', async () => {
    const { client } = await createPerson();
    const { passkey } = device.make(await client.ok(api.beginPasskey));
    const { status, body } = await use(passkey);
    expect([status, body.message]).toEqual([401, 'We do not know this passkey. Sign in in another way.']);
  });

  test('a ban and a deletion count for the person, and a suspended person reads why', async () => {
    const [banned, suspended, gone] = [await createPerson(), await createPerson(), await createPerson()];
    const passkeys = [await add(banned.client), await add(suspended.client), await add(gone.client)];
    await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
    await app.db('users').where({ id: suspended.id }).update({ suspended_until: '2099-01-01' });
    await gone.client.ok(deleteMe);
    const [ofBanned, ofSuspended, ofGone] = [await use(passkeys[0]!), await use(passkeys[1]!), await use(passkeys[2]!)];
    expect([ofBanned.status, ofBanned.body.code]).toEqual([403, 'account_banned']);
    expect(ofBanned.body.fields.banPath).toMatch(/^\/ban\?token=/);
    expect([ofSuspended.status, ofSuspended.body.suspendedUntil]).toEqual([200, '2099-01-01T00:00:00Z']);
    expect(ofGone.status).toBe(401);
    expect(await app.db('passkeys').where({ user_id: gone.id })).toEqual([]);
  });

  test('what the operator disabled stays out through this door, too', async () => {
    const admin = await insertAdmin(app);
    const browser = createBrowser(url);
    await browser.ok(signInAdmin, { body: { username: admin.login, password: PASSWORD } });
    const passkey = await add(browser);
    await app.db('admin_credentials').where({ user_id: admin.id }).update({ disabled_at: app.db.fn.now() });
    const { status, body } = await use(passkey);
    expect([status, body.message]).toEqual([401, 'The operator of this site has disabled your sign-in.']);
  });

  test('a passkey that is removed while it signs in leaves no session', async () => {
    const { id, client } = await createPerson();
    const passkey = await add(client);
    await app.db.raw(`
      create function forget() returns trigger language plpgsql as
        $$ begin delete from passkeys where user_id = new.user_id; return new; end $$;
      create trigger forget before insert on sessions for each row execute function forget()`);
    const { status } = await use(passkey).finally(() => app.db.raw('drop function forget cascade'));
    expect(status).toBe(401);
    expect(await listLasting(id)).toHaveLength(1);
  });

  test.each([
    ['banned', 'update users set banned_at = now() where id = $1'],
    ['disabled by the operator', 'update admin_credentials set disabled_at = now() where user_id = $1'],
  ])('who is %s while signing in gets no session', async (_, change) => {
    const admin = await insertAdmin(app);
    const browser = createBrowser(url);
    await browser.ok(signInAdmin, { body: { username: admin.login, password: PASSWORD } });
    const passkey = await add(browser);
    await app.db.raw(`
      create function shut_out() returns trigger language plpgsql as
        $$ begin execute '${change}' using new.user_id; return new; end $$;
      create trigger shut_out before insert on sessions for each row execute function shut_out()`);
    const { status } = await use(passkey).finally(() => app.db.raw('drop function shut_out cascade'));
    expect(status).toBe(401);
    expect(await listLasting(admin.id)).toHaveLength(1);
  });

  test('waits for a removal that has not committed, and leaves no session', async () => {
    const { id, client } = await createPerson();
    const passkey = await add(client);
    const removal = await app.db.transaction();
    await removal('passkeys').where({ id: passkey.rowId }).delete();
    const signedIn = use(passkey);
    await removal.raw('select pg_sleep(0.3)');
    await removal.commit();
    expect((await signedIn).status).toBe(401);
    expect(await listLasting(id)).toHaveLength(1);
  });
});

describe('removing', () => {
  test('ends the other sessions, tells the person, and the passkey is unknown', async () => {
    const { id, client } = await createPerson();
    const passkey = await add(client);
    const elsewhere = await signIn(id);
    await client.ok(api.removePasskey, { params: { id: passkey.rowId } });
    expect([await isSignedIn(client), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await client.ok(listNotifications))[0]!.title).toBe('A passkey was removed from your account');
    expect((await use(passkey)).status).toBe(401);
    expect((await client.call(api.removePasskey, { params: { id: passkey.rowId } })).status).toBe(404);
  });

  test("another person's passkey does not exist", async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    const params = { id: (await add(one.client)).rowId };
    expect((await other.client.call(api.removePasskey, { params })).status).toBe(404);
    expect((await other.client.call(api.renamePasskey, { params, body: { name: 'Mine' } })).status).toBe(404);
    expect((await one.client.ok(api.listPasskeys))[0]!.name).toBe('Phone');
  });

  test('of two last ways in that go at once, one stays', async () => {
    const { id } = await insertUser(app, { x_id: null, username: null, role: 'admin' });
    const client = await signIn(id);
    const passkeys = [await add(client, 'Phone'), await add(client, 'Laptop')];
    const actor = (await findUserActor(app.db, id))!;
    const removed = await Promise.allSettled(passkeys.map(({ rowId }) => removePasskey(app, actor, rowId, {})));
    expect(removed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(removed.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect(await listPasskeys(app.db, id)).toHaveLength(1);
  });
});

test('an operator evicts who took over an account, and the person hears of it', async () => {
  const person = await createPerson();
  const passkey = await add(person.client);
  await person.client.ok(makeRecoveryCodes);
  await openToken(app, person.id);
  const removed = { passkeys: 1, codes: LIMITS.recoveryCodes, tokens: 1, webhooks: 0 };
  expect(await evict(app, operator('test'), person.id, { reason: 'taken over' })).toEqual(removed);
  // another process did it: a read may use the session until the event of its end arrives
  await expect.poll(() => isSignedIn(person.client)).toBe(false);
  expect((await use(passkey)).status).toBe(401);
  const news = await app.db('notifications').where({ user_id: person.id }).orderBy('id', 'desc').first();
  expect(news.title).toBe('The operator secured your account');
  const [entry] = await app.db('audit_log').where({ action: 'user.evict' });
  expect(entry.details).toEqual({ ...removed, reason: 'taken over' });
});

test('the cleaning job deletes challenges that nobody answered', async () => {
  await begin();
  await app.db.raw("update passkey_challenges set expires_at = now() - interval '1 second'");
  await begin();
  await jobHandlers['clean-up'](app, {}, { attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
  expect(await app.db('passkey_challenges')).toHaveLength(1);
});
