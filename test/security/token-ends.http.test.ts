import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../contract/access-tokens.ts';
import { getMe } from '../../contract/auth.ts';
import { LIMITS } from '../../contract/limits.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { evict } from '../../server/features/access/evict.ts';
import { createOperatorLink, recoverByLink } from '../../server/features/access/recovery.ts';
import { revokeToken, revokeTokensOf } from '../../server/features/access/tokens.ts';
import { ban, remove, suspend } from '../../server/features/account/removal.ts';
import { setRole } from '../../server/features/admin/service.ts';
import { setAdminDisabled } from '../../server/features/auth/service.ts';
import { cleanUp } from '../../server/job-handlers.ts';
import { operator } from '../../server/policy.ts';
import { openTestApp, type Person } from '../harness/app.ts';
import { createClient } from '../harness/client.ts';
import { adBody, insertAdmin, insertCategories } from '../harness/factories.ts';
import { openSession, openToken } from '../harness/sessions.ts';

const { app, url, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));
const OPERATOR = operator('cli:test');

const make = ({ client }: Person) =>
  client.call(api.createAccessToken, { body: { name: 'Script', scopes: ['profile:read'] } });
const useToken = async (authorization: string) =>
  (await createClient(url, { Authorization: authorization }).call(getMe)).status;
const countTokens = async ({ id }: { id: string }) =>
  Number((await app.db('access_tokens').where({ user_id: id }).count())[0]!.count);
const listAudited = (id: string) => app.db('audit_log').where({ target_id: id }).orderBy('id').pluck('action');
const tokenOf = (person: Person) => openToken(app, person.id);

describe('the end of one', () => {
  test('by its owner works at once and only for them', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const { id, token } = (await make(person)).body;
    expect((await other.client.call(api.revokeAccessToken, { params: { id } })).status).toBe(404);
    expect(await useToken(`Bearer ${token}`)).toBe(200);
    await person.client.ok(api.revokeAccessToken, { params: { id } });
    expect(await useToken(`Bearer ${token}`)).toBe(401);
    expect((await person.client.call(api.revokeAccessToken, { params: { id } })).status).toBe(404);
    expect(await listAudited(person.id)).toEqual(['token.create', 'token.revoke']);
  });

  test('by the operator: one, or all of a person', async () => {
    const person = await createPerson();
    const tokens = [await tokenOf(person), await tokenOf(person), await tokenOf(person)];
    const { id } = (await person.client.ok(api.listAccessTokens))[0]!;
    await revokeToken(app, OPERATOR, id);
    await expect(revokeToken(app, OPERATOR, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await revokeTokensOf(app, OPERATOR, person.id)).toBe(2);
    expect(await Promise.all(tokens.map(useToken))).toEqual([401, 401, 401]);
  });

  test('by a ban or a deletion that left it behind: a token asks about its person', async () => {
    const [banned, deleted] = [await createPerson(), await createPerson()];
    const tokens = [await tokenOf(banned), await tokenOf(deleted)];
    expect(await Promise.all(tokens.map(useToken))).toEqual([200, 200]);
    await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
    await app.db('users').where({ id: deleted.id }).update({ deleted_at: app.db.fn.now() });
    expect([await countTokens(banned), await countTokens(deleted)]).toEqual([1, 1]);
    expect(await Promise.all(tokens.map(useToken))).toEqual([401, 401]);
  });

  test('by time: it stays in the list for a week, and then the clean-up takes it', async () => {
    const person = await createPerson();
    const token = await tokenOf(person);
    const age = (days: number) =>
      app.db.raw(
        `update access_tokens set created_at = now() - interval '90 days', expires_at = now() - interval '${days} days' where user_id = ?`,
        [person.id],
      );
    await age(1);
    await cleanUp(app);
    expect([await useToken(token), (await person.client.ok(api.listAccessTokens)).length]).toEqual([401, 1]);
    await age(LIMITS.expiredTokenDays + 1);
    await cleanUp(app);
    expect(await person.client.ok(api.listAccessTokens)).toEqual([]);
  });

  const ENDS: [what: string, end: (person: Person) => Promise<unknown>][] = [
    ['a ban', (person) => inTransaction(app.db, (trx) => ban(trx, person, null))],
    ['the deletion of the account', (person) => inTransaction(app.db, (trx) => remove(trx, person))],
    ['an eviction by the operator', ({ id }) => evict(app, OPERATOR, id)],
    [
      'a recovery',
      async ({ id }) => {
        const link = await createOperatorLink(app, OPERATOR, id);
        await recoverByLink(app, link.split('#token=')[1]!);
      },
    ],
  ];
  test.each(ENDS)('%s ends all', async (_, end) => {
    const person = await createPerson();
    const tokens = [await tokenOf(person), await tokenOf(person)];
    await end(person);
    expect([await Promise.all(tokens.map(useToken)), await countTokens(person)]).toEqual([[401, 401], 0]);
  });

  test('an administrator whose sign-in is disabled loses all', async () => {
    const [admin] = [await insertAdmin(app), await insertAdmin(app)];
    const token = await openToken(app, admin.id);
    await setAdminDisabled(app, OPERATOR, admin.login, true);
    expect(await useToken(token)).toBe(401);
  });

  test('a lower role ends those with staff scopes alone', async () => {
    const person = await createPerson({ role: 'moderator' });
    const [mine, ours] = [await openToken(app, person.id, ['profile:read']), await tokenOf(person)];
    await setRole(app, OPERATOR, person.id, 'user');
    expect([await useToken(mine), await useToken(ours)]).toEqual([200, 401]);
  });

  test('a suspension is none, but while it lasts no token works', async () => {
    const person = await createPerson();
    const token = await tokenOf(person);
    await inTransaction(app.db, (trx) => suspend(trx, person, 1));
    expect(await useToken(token)).toBe(403);
    await app.db('users').where({ id: person.id }).update({ suspended_until: null });
    expect(await useToken(token)).toBe(200);
  });
});

describe('a body that arrives after the end', () => {
  const addresses = { token: (id: string) => openToken(app, id), session: (id: string) => openSession(app, id) };

  test.each(['token', 'session'] as const)('of the %s changes nothing', async (kind) => {
    const person = await createPerson();
    const credential = await addresses[kind](person.id);
    const table = kind === 'token' ? 'access_tokens' : 'sessions';
    const seen = kind === 'token' ? 'last_used_at' : 'last_seen_at';
    // so that the server notes that it has read the credential
    const began = "now() - interval '1 hour'";
    if (kind === 'session')
      await app
        .db('sessions')
        .where({ user_id: person.id })
        .update({ last_seen_at: app.db.raw(began) });
    const body = JSON.stringify(adBody());
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Sec-Fetch-Site': 'same-origin',
      ...(kind === 'token' ? { Authorization: credential } : { Cookie: credential }),
    };
    const sent = request(`${url}/api/ads`, { method: 'POST', headers });
    const answer = once(sent, 'response');
    sent.write(body.slice(0, 10));
    const isRead = async () =>
      (await app.db(table).where({ user_id: person.id }).whereRaw(`${seen} > now() - interval '1 minute'`)).length;
    await expect.poll(isRead).toBeGreaterThan(0);
    await app.db(table).where({ user_id: person.id }).delete();
    sent.end(body.slice(10));
    const [{ statusCode }] = await answer;
    expect([statusCode, await app.db('ads').where({ user_id: person.id })]).toEqual([401, []]);
  });
});
