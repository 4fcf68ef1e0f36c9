import { beforeEach, describe, expect, test } from 'vitest';
import { getMe } from '../../../contract/auth.ts';
import { removeMyEmail, setMyEmail, setMyEmailPaused, verifyEmail } from '../../../contract/email.ts';
import { LIMITS, RATE_LIMITS } from '../../../contract/limits.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { addPasskey, beginPasskey } from '../../../contract/passkeys.ts';
import * as api from '../../../contract/recovery.ts';
import { deleteMe } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createAuthenticator } from '../../../test/harness/authenticator.ts';
import { type Client, createBrowser } from '../../../test/harness/client.ts';
import { insertAdmin, nextSerial } from '../../../test/harness/factories.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { operator } from '../../policy.ts';
import { createOperatorLink } from './recovery.ts';

const smtp = await openSmtpServer();
const mailing = { SMTP_URL: smtp.url, X_EMAIL: 'on' };
const { app, url, anonymous, createPerson, signIn } = await openTestApp({ env: mailing });
const limited = await openTestApp({ env: { ...mailing, RATE_LIMIT_SCALE: '1' } });
const OPERATOR = operator('cli:test');

beforeEach(() => {
  smtp.letters.length = 0;
});

const newAddress = () => `lost.${nextSerial()}@mail.example`;

async function createConfirmed(
  address = newAddress(),
  of = { app, createPerson },
): Promise<Person & { address: string }> {
  const person = await of.createPerson();
  const row = { user_id: person.id, address, uses_x: false, opens_account: true, confirmed_at: of.app.db.fn.now() };
  await of.app.db('email_addresses').insert(row);
  return { ...person, address };
}

const ask = (email: string, client: Client = anonymous) => client.call(api.requestRecovery, { body: { email } });

/** The mails that were sent, oldest first, after all jobs. */
async function receive(of = app): Promise<{ to: string[]; text: string }[]> {
  await runDueJobs(of, jobHandlers);
  return smtp.letters.map(({ to, data }) => ({ to, text: data.replace(/=\n/g, '').replaceAll('=3D', '=') }));
}
const readToken = (text: string): string | undefined => /\/recover#token=([\w-]+)/.exec(text)?.[1];
const receiveToken = async (): Promise<string> =>
  (await receive()).flatMap(({ text }) => readToken(text) ?? []).at(-1)!;

const follow = (token: string, client: Client = createBrowser(url)) =>
  client.call(api.recoverByLink, { body: { token } });
const enter = (username: string, code: string, client: Client = createBrowser(url)) =>
  client.call(api.recoverByCode, { body: { username, code } });
const isSignedIn = async (client: Client) => (await client.call(getMe)).status === 200;
const listAudited = (id: string) => app.db('audit_log').where({ target_id: id }).orderBy('id').pluck('action');

describe('a link by mail', () => {
  test('signs in once, ends all other sessions, and tells the person', async () => {
    const person = await createConfirmed();
    expect((await ask(person.address.toUpperCase())).status).toBe(202);
    const token = await receiveToken();
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`<${person.address}>`]]);
    const browser = createBrowser(url);
    expect((await follow(token, browser)).body).toMatchObject({ id: person.id });
    expect([await isSignedIn(browser), await isSignedIn(person.client)]).toEqual([true, false]);
    expect((await follow(token)).body.code).toBe('link_used');
    const [newest] = await browser.ok(listNotifications);
    expect(newest!.title).toBe('Somebody signed in to your account with a recovery link');
    expect((await receive()).at(-1)!.text).toContain(`Subject: ${newest!.title}`);
    expect(await listAudited(person.id)).toEqual(['recovery.link']);
  });

  test('leads nowhere once its address is not the one of the person any more', async () => {
    const person = await createConfirmed();
    await ask(person.address);
    const token = await receiveToken();
    await app.db('email_addresses').where({ user_id: person.id }).update({ address: newAddress() });
    expect((await follow(token)).body.code).toBe('link_invalid');
    expect(await isSignedIn(person.client)).toBe(true);
    await app.db('email_addresses').where({ user_id: person.id }).update({ address: person.address });
    expect((await follow(token)).body).toMatchObject({ id: person.id });
  });

  test('of two clicks at once, one signs in', async () => {
    const person = await createConfirmed();
    await ask(person.address);
    const token = await receiveToken();
    const followed = await Promise.all([follow(token), follow(token), follow(token)]);
    expect(followed.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('works for a quarter of an hour, and a newer one that was used ends it', async () => {
    const person = await createConfirmed();
    await ask(person.address);
    const first = await receiveToken();
    await ask(person.address);
    const second = await receiveToken();
    expect(second).not.toBe(first);
    expect((await follow(second)).status).toBe(200);
    expect((await follow(first)).body.code).toBe('link_invalid');
    await ask(person.address);
    const late = await receiveToken();
    await app.db.raw("update recovery_links set expires_at = expires_at - interval '15 minutes'");
    expect((await follow(late)).body.code).toBe('link_expired');
    expect((await follow('A'.repeat(43))).body.code).toBe('link_invalid');
  });

  test('is stored as a hash', async () => {
    const person = await createConfirmed();
    await ask(person.address);
    const token = await receiveToken();
    const { rows } = await app.db.raw('select * from recovery_links where user_id = ?', [person.id]);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('goes to the confirmed address only, though all mail be off', async () => {
    const [pending, paused, other] = [await createPerson(), await createConfirmed(), newAddress()];
    const waiting = { pending_address: other, pending_id: crypto.randomUUID(), pending_until: '2099-01-01' };
    await app.db('email_addresses').insert({ user_id: pending.id, uses_x: false, ...waiting });
    await paused.client.ok(setMyEmailPaused, { body: { isPaused: true } });
    expect((await ask(other)).status).toBe(202);
    expect(await receive()).toEqual([]);
    await ask(paused.address);
    expect(await receiveToken()).toBeDefined();
  });

  test('an address whose link a stranger opened gets notifications and opens nothing', async () => {
    const [person, stranger, mistyped] = [await createPerson(), await createPerson(), newAddress()];
    const confirm = async (client: Client) => {
      await person.client.ok(setMyEmail, { body: { email: mistyped } });
      const token = (await receive())
        .flatMap(({ text }) => /verify-email\?token=([\w.-]+)/.exec(text)?.[1] ?? [])
        .at(-1)!;
      smtp.letters.length = 0;
      return (await client.call(verifyEmail, { body: { token } })).body;
    };
    for (const client of [anonymous, stranger.client]) {
      expect(await confirm(client)).toEqual({ address: mistyped, opensAccount: false });
      await ask(mistyped);
      expect((await receive()).flatMap(({ text }) => readToken(text) ?? [])).toEqual([]);
    }
    expect(await confirm(person.client)).toEqual({ address: mistyped, opensAccount: true });
    await ask(mistyped);
    expect((await follow(await receiveToken())).body).toMatchObject({ id: person.id });
  });

  test('a change of the address ends the other sessions', async () => {
    const person = await createConfirmed();
    const elsewhere = await signIn(person.id);
    await person.client.ok(setMyEmail, { body: { email: newAddress() } });
    expect(await isSignedIn(elsewhere)).toBe(true);
    const token = /verify-email\?token=([\w.-]+)/.exec((await receive()).at(-1)!.text)![1]!;
    await person.client.ok(verifyEmail, { body: { token } });
    expect([await isSignedIn(person.client), await isSignedIn(elsewhere)]).toEqual([true, false]);
    const again = await signIn(person.id);
    await person.client.ok(removeMyEmail);
    expect([await isSignedIn(person.client), await isSignedIn(again)]).toEqual([true, false]);
    await receive();
  });

  test("the address of an administrator whom the operator entered opens nothing, X's own does", async () => {
    const [entered, ofX] = [newAddress(), newAddress()];
    await app.db('users').insert({ display_name: 'Administrator', role: 'admin', email: entered });
    const person = await createPerson({ email: ofX });
    await ask(entered);
    expect(await receive()).toEqual([]);
    await ask(ofX);
    expect((await follow(await receiveToken())).body.id).toBe(person.id);
  });

  test('accounts with one address get a link each and are never joined', async () => {
    const address = newAddress();
    const people = [await createConfirmed(address), await createConfirmed(address)];
    await ask(address);
    const tokens = (await receive()).flatMap(({ text }) => readToken(text) ?? []);
    const ids = [];
    for (const token of tokens) ids.push((await follow(token)).body.id);
    expect(ids.toSorted()).toEqual(people.map(({ id }) => id).toSorted());
  });

  test('a ban, a deletion and the operator count here, too', async () => {
    const [banned, gone, suspended] = [await createConfirmed(), await createConfirmed(), await createConfirmed()];
    const links = [];
    for (const person of [banned, gone, suspended]) links.push(await createOperatorLink(app, OPERATOR, person.id));
    await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
    await app.db('users').where({ id: suspended.id }).update({ suspended_until: '2099-01-01' });
    await gone.client.ok(deleteMe);
    const answers = [];
    for (const link of links) answers.push(await follow(readToken(link)!));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'account_banned'],
      [400, 'link_invalid'],
      [200, undefined],
    ]);
    smtp.letters.length = 0;
    await ask(banned.address);
    await ask(gone.address);
    expect((await receive()).flatMap(({ text }) => readToken(text) ?? [])).toEqual([]);
    const admin = await insertAdmin(app);
    const link = await createOperatorLink(app, OPERATOR, admin.id);
    await app.db('admin_credentials').where({ user_id: admin.id }).update({ disabled_at: app.db.fn.now() });
    expect((await follow(readToken(link)!)).status).toBe(401);
  });

  test('an answer is the same for every address, and so is what it stores', async () => {
    const { address } = await createConfirmed();
    const answers = [await ask(address), await ask(newAddress())];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, { minutes: 15 }],
      [202, { minutes: 15 }],
    ]);
    const { rows } = await app.db.raw(
      "select count(*)::int from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mail-recovery'",
    );
    expect(rows[0].count).toBe(2);
    await receive();
  });

  test('an address gets so many in an hour, and the answer does not tell', async () => {
    const { address } = await createConfirmed(newAddress(), limited);
    const statuses = [];
    for (let i = 0; i <= RATE_LIMITS.recoveryOfAddress.points; i++) {
      const from = { 'X-Forwarded-For': `8.8.8.${i}` };
      statuses.push(
        (await limited.anonymous.call(api.requestRecovery, { body: { email: address }, headers: from })).status,
      );
      await runDueJobs(limited.app, jobHandlers);
    }
    expect(new Set(statuses)).toEqual(new Set([202]));
    const sent = smtp.letters.filter(({ to }) => to[0] === `<${address}>`);
    expect(sent.length).toBeLessThanOrEqual(RATE_LIMITS.recoveryOfAddress.points);
  });
});

describe('codes', () => {
  const make = async ({ client }: Person) => (await client.ok(api.makeRecoveryCodes)).codes;

  test('eight are shown once, and each signs in once, however it is typed', async () => {
    const person = await createPerson();
    expect(await person.client.ok(api.getRecoveryCodes)).toEqual({ left: 0, createdAt: null });
    const codes = await make(person);
    expect(new Set(codes).size).toBe(LIMITS.recoveryCodes);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const browser = createBrowser(url);
    const typed = codes[0]!.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect((await enter(`@${person.username!.toUpperCase()}`, typed, browser)).body).toMatchObject({ id: person.id });
    expect((await enter(person.username!, codes[0]!)).status).toBe(401);
    expect(await browser.ok(api.getRecoveryCodes)).toMatchObject({ left: 7 });
    expect(await isSignedIn(person.client)).toBe(false);
    expect((await browser.ok(listNotifications)).map(({ title }) => title)).toEqual([
      'Somebody signed in to your account with a recovery code',
      'New recovery codes were made for your account',
    ]);
    expect(await listAudited(person.id)).toEqual(['recovery.make-codes', 'recovery.code']);
  });

  test('new ones end those of before, and deleted ones open nothing; other sessions end', async () => {
    const person = await createPerson();
    const [old] = await make(person);
    const elsewhere = await signIn(person.id);
    const [fresh] = await make(person);
    expect([await isSignedIn(person.client), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await enter(person.username!, old!)).status).toBe(401);
    await person.client.ok(api.deleteRecoveryCodes);
    expect((await enter(person.username!, fresh!)).status).toBe(401);
    expect((await person.client.ok(listNotifications))[0]!.title).toBe(
      'The recovery codes of your account were deleted',
    );
  });

  test("another person's code, an unknown handle and a wrong code give one answer", async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    const [code] = await make(one);
    const answers = [
      await enter(other.username!, code!),
      await enter('nobody_at_all', code!),
      await enter(one.username!, 'ABCD-EFGH-JKMN-PQRS'),
    ];
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1);
    expect((await enter(one.username!, code!)).status).toBe(200);
  });

  test('an administrator enters the username', async () => {
    const admin = await insertAdmin(app);
    const { codes } = await (await signIn(admin.id)).ok(api.makeRecoveryCodes);
    expect((await enter(admin.login, codes[0]!)).body.id).toBe(admin.id);
  });

  test('who is called as another one signs in lets each of them in with their own codes', async () => {
    const [admin, person] = [await insertAdmin(app), await createPerson()];
    await app.db('admin_credentials').where({ user_id: admin.id }).update({ login: person.username! });
    const { codes } = await (await signIn(admin.id)).ok(api.makeRecoveryCodes);
    const [own] = await make(person);
    expect((await enter(person.username!, codes[0]!)).body.id).toBe(admin.id);
    expect((await enter(person.username!, own!)).body.id).toBe(person.id);
  });

  test('of two that use one code at once, one comes in', async () => {
    const person = await createPerson();
    const [code] = await make(person);
    const entered = await Promise.all([enter(person.username!, code!), enter(person.username!, code!)]);
    expect(entered.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('a banned person stays out and keeps the code', async () => {
    const person = await createPerson();
    const [code] = await make(person);
    await app.db('users').where({ id: person.id }).update({ banned_at: app.db.fn.now() });
    expect((await enter(person.username!, code!)).body.code).toBe('account_banned');
    expect(await app.db('recovery_codes').where({ user_id: person.id })).toHaveLength(LIMITS.recoveryCodes);
  });

  test('guesses from one address are refused, and keep nobody else out', async () => {
    const person = await limited.createPerson();
    const { codes } = await person.client.ok(api.makeRecoveryCodes);
    const guess = (i: number, code = 'ABCD-EFGH-JKMN-PQRS') =>
      limited.anonymous.call(api.recoverByCode, { body: { username: `nobody_${i}`, code } });
    const statuses = [];
    for (let i = 0; i <= RATE_LIMITS.recoveryCode.points; i++) statuses.push((await guess(i)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]));
    // every way to write a name counts as one
    const slowed = async () =>
      Number((await limited.app.db('rate_limits').where('key', 'like', 'recoveryCode:account:%').count())[0]!.count);
    await limited.app.db('rate_limits').where('key', 'like', 'recoveryCode:%').delete();
    for (const username of ['mini', 'MINI', 'mİnİ', ' @minI '])
      await limited.anonymous.call(api.recoverByCode, { body: { username, code: 'ABCD-EFGH-JKMN-PQRS' } });
    expect(await slowed()).toBe(1);
    // the same account from another address
    await limited.app.db('rate_limits').where('key', 'like', 'recoveryCode:address:%').delete();
    const body = { username: person.username!, code: codes[0]! };
    expect((await limited.anonymous.call(api.recoverByCode, { body })).status).toBe(200);
  });
});

test('news of a way in is mailed although the person switched all mail off', async () => {
  const person = await createConfirmed();
  await person.client.ok(setMyEmailPaused, { body: { isPaused: true } });
  const { credential } = createAuthenticator(url).make(await person.client.ok(beginPasskey));
  await person.client.ok(addPasskey, { body: { name: 'Phone', credential } });
  const mails = (await receive()).filter(({ to }) => to[0] === `<${person.address}>`);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain('Subject: A passkey was added to your account');
  expect(mails[0]!.text).toContain('/preferences#passkeys');
});
