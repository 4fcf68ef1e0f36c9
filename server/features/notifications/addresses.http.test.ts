import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as api from '../../../contract/email.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { insertUser, nextSerial } from '../../../test/harness/factories.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { findUsableAddresses } from './address-repository.ts';
import { switchOffAddress } from './addresses.ts';
import { signLink } from './link-tokens.ts';

const smtp = await openSmtpServer();
const { app, anonymous, createPerson } = await openTestApp({ env: { SMTP_URL: smtp.url, X_EMAIL: 'on' } });
const silent = await openTestApp();
const limited = await openTestApp({ env: { SMTP_URL: smtp.url, RATE_LIMIT_SCALE: '1' } });
beforeEach(() => {
  smtp.letters.length = 0;
});

const newAddress = () => `ann.${nextSerial()}@mail.example`;

const findUsable = async (id: string) => (await findUsableAddresses(app.db, [id], app.config)).get(id);
const enter = ({ client }: Person, email: string) => client.ok(api.setMyEmail, { body: { email } });
const verify = (token: string, client = anonymous) => client.call(api.verifyEmail, { body: { token } });
const listAudited = (id: string) => app.db('audit_log').where({ target_id: id }).orderBy('id').pluck('action');

/** Runs the jobs and reads the token of the newest confirmation mail. */
async function receiveToken(of = app): Promise<string> {
  await runDueJobs(of, jobHandlers);
  const texts = smtp.letters.map(({ data }) => data.replace(/=\n/g, '').replaceAll('=3D', '='));
  const tokens = texts.flatMap((text) => /\/verify-email\?token=([\w.-]+)/.exec(text)?.[1] ?? []);
  return tokens.at(-1)!;
}

/** Runs the jobs and reads to whom mail went since, and its subject. */
async function hear(): Promise<string[]> {
  smtp.letters.length = 0;
  await runDueJobs(app, jobHandlers);
  return smtp.letters.map(({ to, data }) => `${to[0]} ${/^Subject: (.*?)\r?$/m.exec(data)?.[1]}`).toSorted();
}

const CAN_SIGN_IN = 'Your e-mail address can now sign you in';

async function confirm(person: Person, email: string): Promise<void> {
  await enter(person, email);
  expect((await verify(await receiveToken(), person.client)).status).toBe(200);
}

describe('an entered address', () => {
  test('counts once its link was confirmed, signed out, and the address before counts until then', async () => {
    const person = await createPerson();
    const [first, second] = [newAddress(), newAddress()];
    expect(await enter(person, first)).toMatchObject({ address: null, pending: { address: first } });
    expect(await findUsable(person.id)).toBeUndefined();
    expect(await verify(await receiveToken())).toMatchObject({ status: 200, body: { address: first } });
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`<${first}>`]]);
    await enter(person, second);
    expect(await findUsable(person.id)).toBe(first);
    await verify(await receiveToken());
    expect(await findUsable(person.id)).toBe(second);
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: second, pending: null, isFromX: false });
    expect(await listAudited(person.id)).toEqual(['email.set', 'email.confirm', 'email.set', 'email.confirm']);
  });

  test('is confirmed by its newest link only', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    const older = await receiveToken();
    await enter(person, newAddress());
    const newest = await receiveToken();
    expect(await verify(older)).toMatchObject({ status: 400, body: { code: 'link_invalid' } });
    expect(await findUsable(person.id)).toBeUndefined();
    expect((await verify(newest)).status).toBe(200);
  });

  test('is confirmed once, also by two clicks at the same time', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    const token = await receiveToken();
    const responses = await Promise.all([1, 2, 3, 4].map(() => verify(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await verify(token)).toMatchObject({ status: 409, body: { code: 'link_used' } });
    expect((await listAudited(person.id)).filter((action) => action === 'email.confirm')).toHaveLength(1);
  });

  test('is not confirmed after 24 hours, and the expired link gets another one', async () => {
    const person = await createPerson();
    const email = newAddress();
    await enter(person, email);
    const expired = await receiveToken();
    await app
      .db('email_addresses')
      .where({ user_id: person.id })
      .update({ pending_until: new Date(Date.now() - 1000).toISOString() });
    expect(await verify(expired)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    expect(await findUsable(person.id)).toBeUndefined();
    const resent = await anonymous.call(api.resendEmailLink, { body: { token: expired } });
    expect([resent.status, resent.body]).toEqual([202, { address: email }]);
    const fresh = await receiveToken();
    expect((await verify(expired)).status).toBe(400);
    expect((await verify(fresh)).status).toBe(200);
    expect((await anonymous.call(api.resendEmailLink, { body: { token: fresh } })).status).toBe(409);
  });

  test('is one of several that were entered at the same time, with one mail whose link works', async () => {
    const person = await createPerson();
    await Promise.all(Array.from({ length: 6 }, () => enter(person, newAddress())));
    const { pending } = await person.client.ok(api.getMyEmail);
    const token = await receiveToken();
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`<${pending?.address}>`]]);
    expect((await verify(token)).body).toEqual({ address: pending?.address, opensAccount: false });
  });

  test('that was removed is not confirmed by its link', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    const token = await receiveToken();
    await person.client.ok(api.removeMyEmail);
    expect((await verify(token)).status).toBe(400);
    expect((await anonymous.call(api.resendEmailLink, { body: { token } })).status).toBe(400);
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: null, pending: null });
  });

  test('gets no mail after it was replaced before the job ran', async () => {
    const person = await createPerson();
    const [first, second] = [newAddress(), newAddress()];
    await enter(person, first);
    await enter(person, second);
    await runDueJobs(app, jobHandlers);
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`<${second}>`]]);
  });

  test('gets its link later, and the same one, if the mail server is busy', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    smtp.refuse(1);
    await runDueJobs(app, jobHandlers);
    expect(smtp.letters).toEqual([]);
    await app.db.raw('update graphile_worker._private_jobs set run_at = now()');
    expect((await verify(await receiveToken())).status).toBe(200);
  });

  test('gets no second attempt if the mail server refuses the mail for good, until a person requests another link', async () => {
    const person = await createPerson();
    const email = newAddress();
    await enter(person, email);
    smtp.refuse(1, `554 5.7.1 Spam to ${email}`);
    await runDueJobs(app, jobHandlers);
    expect(await app.db('graphile_worker.jobs').where({ key: `confirmation ${person.id}` })).toEqual([]);
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ pending: { address: email }, refused: null });
    await enter(person, email);
    expect((await verify(await receiveToken())).status).toBe(200);
  });

  test('appears neither in the log nor in the queue when the mail server names it', async () => {
    const person = await createPerson();
    const email = newAddress();
    const log = { ...app.log, warn: vi.fn(), error: vi.fn() };
    await enter(person, email);
    smtp.refuse(1, `451 4.7.0 Try later, ${email}`);
    await runDueJobs({ ...app, log: log as unknown as typeof app.log }, jobHandlers);
    expect(JSON.stringify(log.warn.mock.calls)).toContain('"smtpReply":451');
    expect(JSON.stringify([log.warn.mock.calls, log.error.mock.calls])).not.toContain(email);
    const { last_error } = await app
      .db('graphile_worker.jobs')
      .where({ key: `confirmation ${person.id}` })
      .first();
    expect(last_error).toContain('did not accept');
    expect(last_error).not.toContain(email);
    await app.db.raw('update graphile_worker._private_jobs set run_at = now()');
    await receiveToken();
  });

  test('that is confirmed already needs no other link', async () => {
    const person = await createPerson();
    const email = newAddress();
    await confirm(person, email);
    await hear();
    expect(await enter(person, email.toUpperCase())).toMatchObject({ address: email, pending: null });
    expect(await hear()).toEqual([]);
  });

  test('of a deleted account is gone, and its link does nothing', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    const token = await receiveToken();
    await person.client.send('/api/users/me', { method: 'DELETE' });
    expect((await verify(token)).status).toBe(400);
    expect(await app.db('email_addresses').where({ user_id: person.id })).toEqual([]);
  });
});

describe('an address that opens the account', () => {
  const listNews = async ({ id }: Person) =>
    (await app.db('notifications').where({ user_id: id }).orderBy('id')).map(({ params }) => params);
  const countSessions = async ({ id }: Person) => (await app.db('sessions').where({ user_id: id })).length;

  test('is told of when it becomes one, whether it was confirmed before or not', async () => {
    const [person, later] = [await createPerson(), await createPerson()];
    const [first, second] = [newAddress(), newAddress()];
    await confirm(person, first);
    expect(await listNews(person)).toEqual([{ is: 'addressAdded', address: first }]);
    expect(await hear()).toEqual([`<${first}> ${CAN_SIGN_IN}`]);
    await enter(later, second);
    await verify(await receiveToken());
    expect([await listNews(later), await hear()]).toEqual([[], []]);
    await confirm(later, second);
    expect(await listNews(later)).toEqual([{ is: 'addressAdded', address: second }]);
    expect(await hear()).toEqual([`<${second}> ${CAN_SIGN_IN}`]);
  });

  test('ends all sessions when a link that was clicked signed out replaces it', async () => {
    const person = await createPerson();
    const [first, second] = [newAddress(), newAddress()];
    await confirm(person, first);
    await enter(person, second);
    const token = await receiveToken();
    expect(await countSessions(person)).toBeGreaterThan(0);
    expect((await verify(token)).body).toEqual({ address: second, opensAccount: false });
    expect(await countSessions(person)).toBe(0);
  });

  test('stays one, with all sessions, when it was refused and is confirmed again signed out', async () => {
    const person = await createPerson();
    const email = newAddress();
    await confirm(person, email);
    await inTransaction(app.db, (trx) => switchOffAddress(trx, person.id, email, '550 5.1.1 No such user'));
    await enter(person, email);
    expect((await verify(await receiveToken())).body).toEqual({ address: email, opensAccount: true });
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: email, opensAccount: true, refused: null });
  });
});

describe('a token', () => {
  const expectNothing = async (token: unknown) => {
    const before = await app.db('email_addresses').orderBy('user_id');
    for (const spec of [api.verifyEmail, api.resendEmailLink]) {
      const { status, body } = await anonymous.call(spec, { body: { token: token as string } });
      expect([status, body.code]).toEqual([400, expect.stringMatching(/^(link_invalid|validation_failed)$/)]);
      expect(body.message).not.toBe('');
    }
    expect(await app.db('email_addresses').orderBy('user_id')).toEqual(before);
  };

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['no token', 'hello'],
    ['of 10 kB', 'a'.repeat(10_000)],
    ['a list', ['a']],
    ['with NUL', 'a\0b'],
  ])('that is %s changes nothing', (_, token) => expectNothing(token));

  test('of another purpose, or for the entry of another person, changes nothing', async () => {
    const [anna, ben] = [await createPerson(), await createPerson()];
    await enter(anna, newAddress());
    await enter(ben, newAddress());
    const row = await app.db('email_addresses').where({ user_id: anna.id }).first();
    await expectNothing(signLink(app, 'unsubscribe', { userId: anna.id, userSince: 0, kind: 'message' }, 60));
    await expectNothing(signLink(app, 'verify-email', { userId: ben.id, pendingId: row.pending_id }, 60));
    await expectNothing(signLink(silent.app, 'verify-email', { userId: '1', pendingId: row.pending_id }, 60));
  });

  test('that was changed changes nothing', async () => {
    const person = await createPerson();
    await enter(person, newAddress());
    const token = await receiveToken();
    await expectNothing(`${token}x`);
    await expectNothing(token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')));
    expect((await verify(token)).status).toBe(200);
  });
});

describe('the address of the X account', () => {
  test('counts without a link until the person enters or removes one, and again when entered', async () => {
    const email = 'Person@X.Example';
    const person = await createPerson({ email });
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: email, isFromX: true, xAddress: null });
    const own = newAddress();
    await enter(person, own);
    expect(await findUsable(person.id)).toBe(email);
    await verify(await receiveToken(), person.client);
    expect(await findUsable(person.id)).toBe(own);
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: own, isFromX: false, xAddress: email });
    await person.client.ok(api.removeMyEmail);
    expect(await findUsable(person.id)).toBeUndefined();
    // each former address hears of it, and of the removal the one that was removed
    expect(await hear()).toEqual([
      `<Person@x.example> Your e-mail address was changed`,
      `<${own}> Your e-mail address was removed`,
    ]);
    expect(await enter(person, 'person@x.example')).toMatchObject({ address: email, isFromX: true });
    expect(await hear()).toEqual([`<Person@x.example> ${CAN_SIGN_IN}`]);
  });

  test('does not count if the site does not ask X for it, if it is no address, or if no X account has it', async () => {
    const [anna, ben] = [await createPerson({ email: 'anna@x.example' }), await createPerson({ email: 'a b@x' })];
    const admin = await createPerson({ email: 'admin@site.example', x_id: null, username: null });
    const ids = [anna.id, ben.id, admin.id];
    expect(await findUsableAddresses(app.db, ids, { xEmail: true })).toEqual(new Map([[anna.id, 'anna@x.example']]));
    expect(await findUsableAddresses(app.db, ids, { xEmail: false })).toEqual(new Map());
  });
});

describe('an address that a mail server refused', () => {
  const listNotices = (id: string) =>
    app.db('notifications').where({ user_id: id }).whereRaw("params->>'is' = 'addressRefused'").orderBy('id');
  const switchOff = (id: string, email: string, reason = '550 5.1.1 No such\r\n user') =>
    inTransaction(app.db, (trx) => switchOffAddress(trx, id, email, reason));

  test('gets no more mail, tells its user once, and counts again once it was confirmed again', async () => {
    const person = await createPerson();
    const email = newAddress();
    await confirm(person, email);
    await switchOff(person.id, email);
    await switchOff(person.id, email);
    expect(await findUsable(person.id)).toBeUndefined();
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({
      address: email,
      refused: { address: email, reason: '550 5.1.1 No such user' },
    });
    expect(await listNotices(person.id)).toMatchObject([
      { kind: 'notice', body: expect.stringContaining(email), url: '/dashboard#notification-settings' },
    ]);
    await confirm(person, email);
    expect(await findUsable(person.id)).toBe(email);
    expect(await listAudited(person.id)).toContain('email.refuse');
  });

  test('before it was confirmed is no longer pending', async () => {
    const person = await createPerson();
    const [email, next] = [newAddress(), newAddress()];
    await enter(person, email);
    smtp.refuse(1, '550 5.1.1 No such user', 'RCPT');
    await runDueJobs(app, jobHandlers);
    const refused = { address: email, reason: '550 5.1.1 No such user' };
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: null, pending: null, refused });
    expect(await listNotices(person.id)).toHaveLength(1);
    await confirm(person, next);
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: next, refused: null });
  });

  test('and was replaced meanwhile changes nothing', async () => {
    const person = await createPerson();
    const [before, now] = [newAddress(), newAddress()];
    await confirm(person, now);
    await switchOff(person.id, before);
    expect([await findUsable(person.id), await listNotices(person.id)]).toEqual([now, []]);
  });

  test('stays off when the address that was to replace it is refused too', async () => {
    const person = await createPerson();
    const [email, next] = [newAddress(), newAddress()];
    await confirm(person, email);
    await switchOff(person.id, email);
    await enter(person, next);
    await switchOff(person.id, next);
    expect(await findUsable(person.id)).toBeUndefined();
    expect(await person.client.ok(api.getMyEmail)).toMatchObject({ address: null, refused: { address: next } });
  });

  test('from X is used again when X gives another one', async () => {
    const person = await createPerson({ email: 'old@x.example' });
    await switchOff(person.id, 'old@x.example');
    expect(await findUsable(person.id)).toBeUndefined();
    await app.db('users').where({ id: person.id }).update({ email: 'new@x.example' });
    expect(await findUsable(person.id)).toBe('new@x.example');
  });
});

test('mail that is paused resumes with the same address', async () => {
  const person = await createPerson();
  const email = newAddress();
  await confirm(person, email);
  const paused = await person.client.ok(api.setMyEmailPaused, { body: { isPaused: true } });
  expect([paused.isPaused, await findUsable(person.id)]).toEqual([true, undefined]);
  await person.client.ok(api.setMyEmailPaused, { body: { isPaused: false } });
  expect(await findUsable(person.id)).toBe(email);
});

test('without a mail server no address is taken', async () => {
  const client = await silent.signIn((await insertUser(silent.app)).id);
  expect(await client.ok(api.getMyEmail)).toMatchObject({ isOffered: false, address: null });
  const refused = await client.call(api.setMyEmail, { body: { email: newAddress() } });
  expect([refused.status, refused.body.message]).toEqual([409, 'This site sends no e-mail.']);
});

test('a hostile address is refused before anything is written', async () => {
  const person = await createPerson();
  for (const email of [
    'a@b.example\r\nBcc: v@mail.example',
    'a\0@b.example',
    `${'a'.repeat(10_000)}@b.example`,
    'a b',
  ]) {
    const { status, body } = await person.client.call(api.setMyEmail, { body: { email } });
    expect([status, Object.keys(body.fields)]).toEqual([400, [email.includes('\0') ? 'body' : 'email']]);
  }
  expect(await app.db('email_addresses').where({ user_id: person.id })).toEqual([]);
  const insert = (address: string) =>
    app.db('email_addresses').insert({ user_id: person.id, address, confirmed_at: app.db.fn.now(), uses_x: false });
  for (const address of ['a@b.example\nBcc: v@mail.example', '"a b"@c.example', 'a@b.example,c@d.example'])
    await expect(insert(address)).rejects.toMatchObject({ code: '23514' });
});

test('pending addresses are forgotten a month after their link expired', async () => {
  const [old, recent] = [await createPerson(), await createPerson()];
  for (const [person, days] of [
    [old, 31],
    [recent, 29],
  ] as const) {
    await enter(person, newAddress());
    await app
      .db('email_addresses')
      .where({ user_id: person.id })
      .update({ pending_until: app.db.raw("now() - ? * interval '1 day'", [days]) });
  }
  await jobHandlers['clean-up'](app, {}, { attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
  expect((await old.client.ok(api.getMyEmail)).pending).toBeNull();
  expect((await recent.client.ok(api.getMyEmail)).pending).not.toBeNull();
});

describe('with limits, confirmation mail', () => {
  test('goes to ten addresses a day for one person', async () => {
    const { app, signIn } = limited;
    const client = await signIn((await insertUser(app)).id);
    const set = () => client.call(api.setMyEmail, { body: { email: newAddress() } });
    for (let i = 0; i < 10; i++) expect((await set()).status).toBe(200);
    const before = await client.ok(api.getMyEmail);
    const refused = await set();
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect(await client.ok(api.getMyEmail)).toEqual(before);
  });

  test('goes to one mailbox five times a day, however many people enter it', async () => {
    const { app, signIn, anonymous } = limited;
    const [local, host] = newAddress().split('@') as [string, string];
    const people = await Promise.all([1, 2, 3].map(async () => signIn((await insertUser(app)).id)));
    const spellings = [`${local}@${host}`, `${local}+1@${host}`, `${local.toUpperCase()}+2@${host}`];
    const set = (n: number) => people[n % 3]!.call(api.setMyEmail, { body: { email: spellings[n % 3]! } });
    for (let n = 0; n < 5; n++) expect((await set(n)).status).toBe(200);
    expect((await set(5)).status).toBe(429);
    const token = await receiveToken(app);
    expect((await anonymous.call(api.resendEmailLink, { body: { token } })).status).toBe(429);
    expect((await verify(token, anonymous)).status).toBe(200);
  });
});
