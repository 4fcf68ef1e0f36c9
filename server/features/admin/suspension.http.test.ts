import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../../contract/admin.ts';
import { createAd, getAd, listAds } from '../../../contract/ads.ts';
import { getMe, logout } from '../../../contract/auth.ts';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { toggleFavorite } from '../../../contract/favorites.ts';
import { endpoints } from '../../../contract/index.ts';
import { getConversationStatus, getUnreadCount, sendMessage, streamMessages } from '../../../contract/messages.ts';
import { listMyDecisions } from '../../../contract/reports.ts';
import { deleteMe, exportMyData, getProfile, listUserAds } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { adBody, insertAdmin, insertCategories, insertUser, PASSWORD } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { operator } from '../../policy.ts';
import { endExpiredSuspensions, finishAdsUpdate } from '../account/removal.ts';
import { banUser, deleteUser, suspendUser, unbanUser } from './service.ts';

const { app, url, anonymous, signIn, createPerson } = await openTestApp({ env: { AUTH_TEST_USERS: 'true' } });
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(app));

const OPERATOR = operator('test');
const POLL = { timeout: 30_000 };
const WEEK = { days: 7, reason: 'scam', note: 'Asks for prepayment' } as const;

const postAd = ({ client }: Person, fields = {}) => client.ok(createAd, { body: adBody(fields) });
const suspend = (id: string) => suspendUser(app, OPERATOR, id, WEEK);
/** As after so many milliseconds; the column is the only thing that time changes. */
const endIn = (id: string, ms: number) =>
  app
    .db('users')
    .where({ id })
    .update({ suspended_until: new Date(Date.now() + ms) });
const isListed = async (id: string) =>
  (await anonymous.ok(listAds, { query: { limit: '100' } })).some((ad) => ad.id === id);
const rowOf = (id: string) => app.db('users').where({ id }).first();
/** The codes of the responses to these calls, which are all about this person. */
const callEach = async ({ id, client }: Person, isWanted: (spec: EndpointSpec) => boolean) => {
  const codes: Record<string, string> = {};
  for (const { name, spec } of endpoints.filter(({ spec }) => isWanted(spec)))
    codes[name] = (await client.send(spec.path.replace(/:\w+/g, id), { method: spec.method })).body?.code;
  return codes;
};

describe('a suspension', () => {
  test('hides profile and ads, restricts the session and keeps it, and is ended early', async () => {
    const [moderator, seller, buyer] = [
      await createPerson({ role: 'moderator' }),
      await createPerson(),
      await createPerson(),
    ];
    const ad = await postAd(seller);
    const params = { id: seller.id };
    const suspended = await moderator.client.ok(api.suspendUser, { params, body: WEEK });
    const until = suspended.suspendedUntil!;
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);

    expect(await isListed(ad.id)).toBe(false);
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(404);
    expect((await anonymous.call(getProfile, { params: { username: seller.username! } })).status).toBe(404);
    expect(await anonymous.ok(listUserAds, { params })).toEqual([]);
    const message = { adId: ad.id, receiverId: seller.id, content: 'Hello' };
    expect((await buyer.client.call(sendMessage, { body: message })).status).toBe(404);

    expect(await seller.client.ok(getMe)).toMatchObject({ id: seller.id, suspendedUntil: until });
    const refused = await seller.client.call(createAd, { body: adBody() });
    const day = new Date(until).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      403,
      'account_suspended',
      { suspendedUntil: until },
    ]);
    expect(refused.body.message).toMatch(new RegExp(`^Your account is suspended until ${day} at .+ UTC\\.$`));
    expect((await seller.client.call(exportMyData)).status).toBe(200);
    const [decision] = await seller.client.ok(listMyDecisions);
    expect(decision).toMatchObject({ action: 'suspend', reason: 'scam', note: WEEK.note, until, canAppeal: true });
    // reads as a visitor does
    expect(await seller.client.ok(listUserAds, { params })).toEqual([]);

    await moderator.client.ok(api.unbanUser, { params });
    expect(await isListed(ad.id)).toBe(true);
    expect((await seller.client.call(createAd, { body: adBody() })).status).toBe(201);
    expect((await seller.client.ok(listMyDecisions))[0]!.canAppeal).toBe(false);
    expect((await seller.client.call(logout)).status).toBe(204);
  });

  test('refuses messages of others in a conversation that has begun', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const ad = await postAd(seller);
    const body = { adId: ad.id, receiverId: seller.id, content: 'Hello' };
    await buyer.client.ok(sendMessage, { body });
    await suspend(seller.id);
    const { status, body: reply } = await buyer.client.call(sendMessage, { body });
    expect([status, reply.message]).toEqual([403, 'The account of the other person has been suspended.']);
    const params = { adId: ad.id, otherUserId: seller.id };
    expect(await buyer.client.ok(getConversationStatus, { params })).toMatchObject({ canSend: false });
  });

  test('refuses every call that changes something, also those open to visitors, with few exceptions', async () => {
    const seller = await createPerson();
    await suspend(seller.id);
    const codes = await callEach(seller, ({ method, whileSuspended }) => method !== 'GET' && !whileSuspended);
    expect(codes).toMatchObject({ sendContact: 'account_suspended', createAd: 'account_suspended' });
    expect(Object.entries(codes).filter(([, code]) => code !== 'account_suspended')).toEqual([]);
  });

  test('of a banned person is refused, and a ban of a suspended one outlasts it', async () => {
    const [admin, seller] = [await createPerson({ role: 'admin' }), await createPerson()];
    await suspend(seller.id);
    await admin.client.ok(api.banUser, { params: { id: seller.id } });
    const again = await admin.client.call(api.suspendUser, { params: { id: seller.id }, body: WEEK });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    await endIn(seller.id, -1);
    await endExpiredSuspensions(app);
    expect((await seller.client.call(getMe)).status).toBe(401);
    expect(await anonymous.ok(listUserAds, { params: { id: seller.id } })).toEqual([]);
  });

  test('never becomes shorter by another one', async () => {
    const seller = await createPerson();
    await suspend(seller.id);
    const { suspended_until: until } = await rowOf(seller.id);
    await suspendUser(app, OPERATOR, seller.id, { ...WEEK, days: 1 });
    expect((await rowOf(seller.id)).suspended_until).toBe(until);
  });

  test('holds for X-Test-User, too', async () => {
    const seller = await createPerson();
    await suspend(seller.id);
    const client = createClient(url, { 'X-Test-User': seller.id });
    expect((await client.ok(getMe)).suspendedUntil).not.toBeNull();
    expect((await client.call(createAd, { body: adBody() })).body.code).toBe('account_suspended');
  });

  test('lets an administrator sign in with the password, and refuses the panel', async () => {
    const admin = await insertAdmin(app);
    await endIn(admin.id, 60_000);
    const body = { username: admin.login, password: PASSWORD };
    const response = await fetch(`${url}/api/auth/admin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify(body),
    });
    expect([
      response.status,
      ((await response.json()) as { suspendedUntil: string | null }).suspendedUntil === null,
    ]).toEqual([200, false]);
    const client = await signIn(admin.id, 'password');
    expect((await client.call(api.getAdminStats)).body.code).toBe('account_suspended');
  });
});

describe('the end of a suspension by time', () => {
  test('needs no job: neither for the session, cached or not, nor for the ad’s page', async () => {
    const seller = await createPerson();
    const ad = await postAd(seller);
    await suspend(seller.id);
    const cached = createClient(url, { Cookie: seller.client.headers.Cookie! });
    // the event that clears the cached session arrives after the commit
    await expect.poll(async () => (await cached.call(getUnreadCount)).status, POLL).toBe(403);
    await endIn(seller.id, 700);
    expect((await cached.call(listMyDecisions)).status).toBe(200);
    await expect.poll(async () => (await cached.call(getUnreadCount)).status, POLL).toBe(200);
    expect(Date.parse((await rowOf(seller.id)).suspended_until)).toBeLessThan(Date.now());
    expect((await cached.call(createAd, { body: adBody() })).status).toBe(201);
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(200);
    expect((await anonymous.call(getProfile, { params: { username: seller.username! } })).status).toBe(200);
    expect((await anonymous.ok(listUserAds, { params: { id: seller.id } })).map(({ id }) => id)).toContain(ad.id);
    expect((await seller.client.ok(getMe)).suspendedUntil).toBeNull();
  });

  test('is cleared by the job, which restores ads in batches, but not what expired or was taken down', async () => {
    const seller = await createPerson();
    const [ad, old, down] = [await postAd(seller), await postAd(seller), await postAd(seller)];
    await app.db.raw(
      `insert into ads (user_id, category_id, title, description, price)
       select user_id, category_id, title, description, price from ads, generate_series(1, 600) where id = ?`,
      [ad.id],
    );
    await app.db('ads').where({ id: down.id }).update({ state: 'inactive', taken_down: true });
    await suspend(seller.id);
    await app.db('ads').where({ id: old.id }).update({ expires_at: '2020-01-01' });
    const other = await createPerson();
    await suspend(other.id);
    await endIn(seller.id, -1);
    await endExpiredSuspensions(app);
    expect(await rowOf(seller.id)).toMatchObject({ suspended_until: null, ads_pending: true });
    expect((await rowOf(other.id)).suspended_until).not.toBeNull();
    const jobs = await app.db('graphile_worker.jobs').where({ key: `seller-ads-${seller.id}` });
    expect(jobs).toHaveLength(1);
    await finishAdsUpdate(app, seller.id);
    const states = await app
      .db('ads')
      .whereIn('id', [ad.id, old.id, down.id])
      .orderBy('id')
      .select('state', 'listed', 'seller_banned');
    expect(states).toEqual([
      { state: 'active', listed: true, seller_banned: false },
      { state: 'expired', listed: false, seller_banned: false },
      { state: 'inactive', listed: false, seller_banned: false },
    ]);
    expect(await app.db('ads').where({ user_id: seller.id, seller_banned: true })).toEqual([]);
  });
});

describe('a suspension that commits during a request', () => {
  /** Suspends the person in a transaction that holds their row while the request waits for it. */
  const during = async <T>(id: string, request: () => Promise<T>): Promise<T> => {
    const trx = await app.db.transaction();
    await trx('users').where({ id }).forUpdate().first();
    const running = request();
    await expect
      .poll(async () => {
        const { rows } = await app.db.raw(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0].waiting;
      }, POLL)
      .toBeGreaterThan(0);
    await trx('users')
      .where({ id })
      .update({ suspended_until: trx.raw("now() + interval '1 day'") });
    await trx.commit();
    return running;
  };

  test.each([
    ['an ad', (person: Person) => person.client.call(createAd, { body: adBody() })],
    [
      'a message',
      (person: Person, ad: { id: string; userId: string }) =>
        person.client.call(sendMessage, { body: { adId: ad.id, receiverId: ad.userId, content: 'Hello' } }),
    ],
    [
      'a favorite',
      (person: Person, ad: { id: string; userId: string }) =>
        person.client.call(toggleFavorite, { params: { id: ad.id } }),
    ],
  ])('wins over %s', async (_, request) => {
    const [seller, person] = [await createPerson(), await createPerson()];
    const ad = await postAd(seller);
    const { status, body } = await during(person.id, () => request(person, ad));
    expect([status, (body as unknown as { code: string }).code]).toEqual([403, 'account_suspended']);
    for (const [table, column] of [
      ['ads', 'user_id'],
      ['messages', 'sender_id'],
      ['favorites', 'user_id'],
    ] as const)
      expect(await app.db(table).where({ [column]: person.id })).toEqual([]);
  });

  test('wins over a decision of the suspended moderator', async () => {
    const [moderator, seller] = [await createPerson({ role: 'moderator' }), await createPerson()];
    const answer = await during(moderator.id, () =>
      moderator.client.call(api.suspendUser, { params: { id: seller.id }, body: WEEK }),
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'account_suspended']);
    expect((await rowOf(seller.id)).suspended_until).toBeNull();
  });
});

test.each([
  ['of a session', ({ client }: Person) => client.headers],
  ['of X-Test-User', ({ id }: Person) => ({ 'X-Test-User': id })],
])('a suspension closes event streams %s, and refuses new ones', async (_, headersOf) => {
  const person = await createPerson();
  const open = () => fetch(`${url}${streamMessages.path}`, { headers: headersOf(person) });
  const stream = await open();
  expect(stream.status).toBe(200);
  const reading = stream.text();
  await suspend(person.id);
  await Promise.race([reading, sleep(20_000).then(() => Promise.reject(new Error('the stream is open')))]);
  const refused = await open();
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'account_suspended']);
});

describe('suspension, its end, ban and deletion at the same moment', () => {
  test('leave one state, and ads that follow it', async () => {
    for (let round = 0; round < 6; round++) {
      const seller = await createPerson();
      const ad = await postAd(seller);
      const works = [suspend, (id: string) => unbanUser(app, OPERATOR, id), (id: string) => banUser(app, OPERATOR, id)];
      if (round % 2 === 1) works.push((id) => deleteUser(app, OPERATOR, id));
      const results = await Promise.allSettled(works.map((work) => work(seller.id)));
      for (const result of results)
        if (result.status === 'rejected') expect(['not_found', 'conflict']).toContain(result.reason.code);
      const user = await rowOf(seller.id);
      const row = await app.db('ads').where({ id: ad.id }).first();
      if (user.deleted_at) expect(row.state).toBe('deleted');
      else expect(row.seller_banned).toBe(user.banned_at !== null || user.suspended_until !== null);
    }
  });

  test('a person who deletes their account while suspended leaves nothing but the end of the suspension', async () => {
    const person = await createPerson();
    await suspend(person.id);
    const { suspended_until: until } = await rowOf(person.id);
    expect((await person.client.call(deleteMe)).status).toBe(204);
    expect(await rowOf(person.id)).toMatchObject({ x_id: null, suspended_until: null });
    const kept = await app.db('banned_x_accounts').where({ ends_at: until });
    expect(kept).toHaveLength(1);
    await app.db('banned_x_accounts').update({ ends_at: '2020-01-01' });
    await endExpiredSuspensions(app);
    expect(await app.db('banned_x_accounts')).toEqual([]);
  });
});

describe('a moderator', () => {
  test('sees users without email address and X id, and decides about ads of users only', async () => {
    const [moderator, colleague, seller] = [
      await createPerson({ role: 'moderator', email: 'm@example.com' }),
      await createPerson({ role: 'moderator' }),
      await createPerson({ email: 's@example.com' }),
    ];
    const admin = await createPerson({ role: 'admin' });
    const find = async (person: Person) =>
      (await person.client.ok(api.listAdminUsers, { query: { search: seller.username! } }))[0];
    expect(await find(moderator)).toMatchObject({ id: seller.id, email: null, twitterId: null });
    expect(await find(admin)).toMatchObject({ email: 's@example.com', twitterId: seller.x_id });

    const ad = await postAd(seller);
    const hide = (person: Person, id: string) =>
      person.client.call(api.setAdStatus, { params: { id }, body: { status: 'inactive' } });
    expect((await hide(moderator, ad.id)).status).toBe(200);
    expect((await moderator.client.ok(getAd, { params: { id: ad.id } })).state).toBe('inactive');
    for (const owner of [moderator, colleague, admin])
      expect((await hide(moderator, (await postAd(owner)).id)).status).toBe(403);
    expect((await hide(admin, (await postAd(admin)).id)).status).toBe(200);
  });

  test('acts on no person of the same or a higher role, and ends no bans', async () => {
    const moderator = await createPerson({ role: 'moderator' });
    for (const role of ['moderator', 'admin'] as const) {
      const other = await insertUser(app, { role });
      for (const spec of [api.suspendUser, api.warnUser, api.unbanUser]) {
        const answer = await moderator.client.call(spec, { params: { id: other.id }, body: WEEK } as never);
        expect([spec.path, answer.status, answer.body.message]).toEqual([
          spec.path,
          403,
          'Only the operator can act on a person of this role.',
        ]);
      }
    }
    const banned = await insertUser(app, { banned_at: new Date().toISOString() });
    const answer = await moderator.client.call(api.unbanUser, { params: { id: banned.id } });
    expect([answer.status, answer.body.message]).toEqual([403, 'Only an administrator can lift a ban.']);
  });

  test('reaches nothing that is for administrators only', async () => {
    const codes = await callEach(await createPerson({ role: 'moderator' }), ({ access }) => access === 'admin');
    expect(codes).toMatchObject({ getSettings: 'forbidden', banUser: 'forbidden' });
    expect(Object.entries(codes).filter(([, code]) => code !== 'forbidden')).toEqual([]);
  });

  test('warns: the person sees the decision, and nothing else changes', async () => {
    const [moderator, seller] = [await createPerson({ role: 'moderator' }), await createPerson()];
    const ad = await postAd(seller);
    await moderator.client.ok(api.warnUser, { params: { id: seller.id }, body: { reason: 'offensive' } });
    expect((await seller.client.ok(listMyDecisions))[0]).toMatchObject({ action: 'warn', reason: 'offensive' });
    expect(await isListed(ad.id)).toBe(true);
    expect(await app.db('audit_log').where({ action: 'user.warn', target_id: seller.id })).toHaveLength(1);
  });

  test('who loses the role during a request cannot act', async () => {
    const [moderator, seller] = [await createPerson({ role: 'moderator' }), await createPerson()];
    const trx = await app.db.transaction();
    await trx('users').where({ id: moderator.id }).forUpdate().first();
    const running = moderator.client.call(api.warnUser, { params: { id: seller.id }, body: { reason: 'other' } });
    await sleep(300);
    await trx('users').where({ id: moderator.id }).update({ role: 'user' });
    await trx.commit();
    expect((await running).status).toBe(403);
    expect(await app.db('decisions').where({ person_id: seller.id })).toEqual([]);
  });
});
