import { beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../../contract/access-tokens.ts';
import { getMe } from '../../../contract/auth.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { SCOPE_NAMES } from '../../../contract/scopes.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { nextSerial } from '../../../test/harness/factories.ts';
import { openToken } from '../../../test/harness/sessions.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { operator } from '../../policy.ts';
import { createTokenFor } from './tokens.ts';

const smtp = await openSmtpServer();
const { app, url, createPerson } = await openTestApp({ env: { SMTP_URL: smtp.url } });
const OPERATOR = operator('cli:test');

beforeEach(() => {
  smtp.letters.length = 0;
});

const make = ({ client }: Person, body: Partial<api.NewAccessToken> = {}) =>
  client.call(api.createAccessToken, { body: { name: 'Script', scopes: ['profile:read'], ...body } });
const useToken = async (authorization: string) =>
  (await createClient(url, { Authorization: authorization }).call(getMe)).status;
const countTokens = async ({ id }: { id: string }) =>
  Number((await app.db('access_tokens').where({ user_id: id }).count())[0]!.count);
const listAudited = (id: string) =>
  app.db('audit_log').where({ target_id: id }).orderBy('id').select('action', 'actor', 'details');
const tokenOf = (person: Person) => openToken(app, person.id);

describe('making one', () => {
  test('shows it once: the database has its hash and its end, and the list neither', async () => {
    const person = await createPerson();
    const { status, body } = await make(person, { name: ' Backup ', scopes: ['profile:read', 'ads:read'] });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Backup',
        scopes: ['profile:read', 'ads:read'],
        lastFour: body.token.slice(-4),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastUsedAt: null,
        token: expect.stringMatching(/^tp_pat_[0-9A-Za-z]{36}$/),
      },
    ]);
    expect((Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 86_400_000).toBeCloseTo(LIMITS.tokenDays, 0);
    const { token, ...listed } = body;
    expect(await person.client.ok(api.listAccessTokens)).toEqual([listed]);
    const rows = await app.db('access_tokens').where({ user_id: person.id });
    expect(JSON.stringify(rows)).not.toContain(token.slice(7, 20));
    expect(await useToken(`Bearer ${token}`)).toBe(200);
  });

  test('tells the person by notification and mail, although all mail is off, and the audit log', async () => {
    const person = await createPerson();
    const address = `token.${nextSerial()}@mail.example`;
    const paused = { uses_x: false, confirmed_at: app.db.fn.now(), paused_at: app.db.fn.now() };
    await app.db('email_addresses').insert({ user_id: person.id, address, ...paused });
    const { body } = await make(person, { name: 'Backup', days: 1 });
    const [news] = await person.client.ok(listNotifications);
    expect(news).toMatchObject({
      title: 'An access token was made for your account',
      url: '/preferences#access-tokens',
    });
    expect(news!.body).toContain('For 1 day, a program with “Backup” can act for you: profile:read.');
    await runDueJobs(app, jobHandlers);
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`<${address}>`]]);
    expect(smtp.letters[0]!.data).toContain('View your access tokens');
    expect(await listAudited(person.id)).toMatchObject([
      { action: 'token.create', details: { token: body.id, name: 'Backup', scopes: ['profile:read'] } },
    ]);
  });

  test.each([
    ['no name', { name: ' ' }, 'name'],
    ['a long name', { name: 'n'.repeat(LIMITS.tokenName + 1) }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['everything'] as never }, 'scopes'],
    ['a scope twice', { scopes: ['ads:read', 'ads:read'] as never }, 'scopes'],
    ['no day', { days: 0 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
    ['more than a year', { days: LIMITS.tokenDaysMax + 1 }, 'days'],
    ['scopes of staff', { scopes: ['ads:read', 'admin:read', 'admin:moderate'] as never }, 'scopes'],
  ])('refuses %s', async (_, fields, at) => {
    const person = await createPerson();
    const { status, body } = await make(person, fields);
    expect([status, Object.keys(body.fields)]).toEqual([400, [at]]);
    expect(await countTokens(person)).toBe(0);
  });

  test('gives staff every scope, and a year', async () => {
    const moderator = await createPerson({ role: 'moderator' });
    const { status, body } = await make(moderator, { scopes: SCOPE_NAMES, days: LIMITS.tokenDaysMax });
    expect([status, body.scopes]).toEqual([201, SCOPE_NAMES]);
  });

  test(`ends at ${LIMITS.accessTokens} that live, also when many come at once`, async () => {
    const person = await createPerson();
    for (let i = 0; i < LIMITS.accessTokens - 2; i++) await tokenOf(person);
    const made = await Promise.all(Array.from({ length: 5 }, () => make(person)));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    const { id } = (await person.client.ok(api.listAccessTokens))[0]!;
    await app.db.raw(
      "update access_tokens set created_at = created_at - interval '2 days', expires_at = now() - interval '1 hour' where id = ?",
      [id],
    );
    expect((await make(person)).status).toBe(201);
  });

  test('by the operator tells the person, and names the operator in the audit log', async () => {
    const person = await createPerson();
    const input = { name: 'Shop', scopes: ['profile:read' as const], days: 365 };
    const { token } = await createTokenFor(app, OPERATOR, person.id, input, { reason: 'asked for it' });
    expect(await useToken(`Bearer ${token}`)).toBe(200);
    expect((await person.client.ok(listNotifications))[0]!.body).toContain('For 365 days, a program with “Shop”');
    expect(await listAudited(person.id)).toMatchObject([
      { action: 'token.create', actor: 'cli:test', details: { reason: 'asked for it' } },
    ]);
    await app.db('users').where({ id: person.id }).update({ banned_at: app.db.fn.now() });
    await expect(createTokenFor(app, OPERATOR, person.id, input)).rejects.toMatchObject({ code: 'account_banned' });
  });
});

test('the last use is written once a minute', async () => {
  const person = await createPerson();
  const token = await tokenOf(person);
  const readUse = async () => (await person.client.ok(api.listAccessTokens))[0]!.lastUsedAt;
  expect(await readUse()).toBeNull();
  await useToken(token);
  const first = await readUse();
  expect(first).not.toBeNull();
  await useToken(token);
  expect(await readUse()).toBe(first);
  await app.db.raw("update access_tokens set last_used_at = last_used_at - interval '61 seconds' where user_id = ?", [
    person.id,
  ]);
  await useToken(token);
  expect(Date.parse((await readUse())!)).toBeGreaterThanOrEqual(Date.parse(first!));
});
