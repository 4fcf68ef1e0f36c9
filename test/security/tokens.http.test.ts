import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../contract/access-tokens.ts';
import { deleteAdAsAdmin, listAdminUsers } from '../../contract/admin.ts';
import * as ads from '../../contract/ads.ts';
import { getMe, logout } from '../../contract/auth.ts';
import { blockUser, listBlocks } from '../../contract/blocks.ts';
import { LIMITS, RATE_LIMITS } from '../../contract/limits.ts';
import { streamMessages } from '../../contract/messages.ts';
import { listPlaces } from '../../contract/place-search.ts';
import { decideCase, getCase } from '../../contract/reports.ts';
import { SCOPE_NAMES, type Scope } from '../../contract/scopes.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { suspend } from '../../server/features/account/removal.ts';
import { endTokens } from '../../server/features/auth/token-repository.ts';
import { createTokenText } from '../../server/features/auth/token-text.ts';
import { openTestApp, type TestApp } from '../harness/app.ts';
import { createClient } from '../harness/client.ts';
import { openEventSource } from '../harness/event-source.ts';
import { adBody, insertCategories, insertPlaces, insertUser, PLACES } from '../harness/factories.ts';
import { openSession, openToken } from '../harness/sessions.ts';
import { createWorld } from './world.ts';

const open = await openTestApp();
const { app, url, anonymous } = open;
const limited = await openTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY_HOPS: '1' } });
beforeAll(async () => {
  for (const each of [open, limited]) await insertCategories(each.app);
  await insertPlaces(app);
});

/** A program of this user: no header of a browser, no cookie. */
async function openProgram(userId: string, scopes: Scope[] = SCOPE_NAMES, of: TestApp = open) {
  const client = createClient(of.url);
  client.headers = { Authorization: await openToken(of.app, userId, scopes) };
  return client;
}

const program = async (scopes?: Scope[]) => openProgram((await insertUser(app)).id, scopes);

describe('the header', () => {
  test('lets a program read and write without cookie, origin or mark of a browser', async () => {
    const client = await program(['ads:read', 'ads:write', 'profile:read']);
    const made = await client.call(ads.createAd, { body: adBody({ title: 'By a program' }) });
    expect([made.status, made.headers.getSetCookie()]).toEqual([201, []]);
    const { id } = await client.ok(getMe);
    expect((await client.ok(ads.getAd, { params: { id: made.body.id } })).userId).toBe(id);
  });

  test('is read in any case, and other schemes are left to proxies', async () => {
    const client = await program();
    const bearer = client.headers.Authorization!;
    for (const sent of [bearer.replace('Bearer', 'bearer'), bearer.replace(' ', '   '), `${bearer}  `])
      expect([sent, (await createClient(url, { Authorization: sent }).call(getMe)).status]).toEqual([sent, 200]);
    const basic = createClient(url, {
      Authorization: 'Basic eDp5',
      Cookie: await openSession(app, (await insertUser(app)).id),
    });
    expect((await basic.call(getMe)).status).toBe(200);
  });

  test.each([
    ['none', 'Bearer'],
    ['blanks', 'Bearer  '],
    ['a word', 'Bearer x'],
    ['one that does not exist', `Bearer ${createTokenText()}`],
    ['one that is too long', `Bearer ${createTokenText()}x`],
    ['one without its checksum', `Bearer tp_pat_${'A'.repeat(36)}`],
    ['8000 letters', `Bearer ${'x'.repeat(8000)}`],
  ])('with a wrong token (%s) is 401 everywhere, also where no token is needed', async (_, authorization) => {
    for (const path of ['/api/auth/me', '/api/ads', '/api/categories', '/api/ads/1']) {
      const { status, body, headers } = await createClient(url, { Authorization: authorization }).send(path);
      expect([path, status, body.code]).toEqual([path, 401, 'invalid_token']);
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  test('wins over a cookie, which then counts for nothing', async () => {
    const [person, other] = [await insertUser(app), await insertUser(app)];
    const client = await openProgram(person.id);
    client.headers.Cookie = await openSession(app, other.id);
    expect((await client.ok(getMe)).id).toBe(person.id);
    client.headers.Authorization = `Bearer ${createTokenText()}`;
    expect((await client.call(getMe)).status).toBe(401);
    // a foreign page that makes a browser send the cookie too gets nothing by it
    client.headers['Sec-Fetch-Site'] = 'cross-site';
    expect((await client.call(ads.createAd, { body: adBody() })).body.code).toBe('invalid_token');
    expect((await client.call(logout)).body.code).toBe('invalid_token');
    const browser = createClient(url, { Cookie: client.headers.Cookie });
    expect((await browser.ok(getMe)).id).toBe(other.id);
  });

  test('does nothing for pages, which know cookies alone', async () => {
    const client = await program();
    const page = await client.send('/preferences', { headers: { Accept: 'text/html' } });
    expect(page.status).not.toBe(401);
  });

  test('counts as much when the request line has the whole address', async () => {
    const client = await program(['profile:read']);
    const other = await openSession(app, (await insertUser(app)).id);
    const ask = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { path: `${url}/api/auth/me`, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.once('error', reject).end();
      });
    expect(await ask({ Authorization: client.headers.Authorization!, Cookie: other })).toBe(200);
    expect(await ask({ Authorization: `Bearer ${createTokenText()}`, Cookie: other })).toBe(401);
    expect(await ask({ Authorization: 'Bearer\tx', Cookie: other })).toBe(401);
    expect(await ask({ Cookie: other })).toBe(200);
  });

  test('and the claim of X-User-Id must agree', async () => {
    const client = await program();
    const { id } = await client.ok(getMe);
    expect((await client.call(getMe, { headers: { 'X-User-Id': id } })).status).toBe(200);
    expect((await client.call(getMe, { headers: { 'X-User-Id': '1' } })).body.code).toBe('account_changed');
  });
});

describe('a scope', () => {
  test('that is missing is named', async () => {
    const { status, body, headers } = await (await program(['ads:read'])).call(ads.createAd, { body: adBody() });
    expect([status, body.code, body.message]).toEqual([
      403,
      'insufficient_scope',
      'This access token lacks the scope ads:write',
    ]);
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="ads:write"');
  });

  test('opens no call that is for browsers', async () => {
    const { status, body, headers } = await (await program()).call(api.createAccessToken, {
      body: { name: 'Another', scopes: ['ads:read'] },
    });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
  });

  test('of staff is worth nothing without the role', async () => {
    const person = await insertUser(app, { role: 'moderator' });
    const client = await openProgram(person.id);
    expect((await client.call(listAdminUsers)).status).toBe(200);
    expect((await client.call(deleteAdAsAdmin, { params: { id: '1' } })).status).toBe(403);
    await app.db('users').where({ id: person.id }).update({ role: 'user' });
    expect((await client.call(listAdminUsers)).body.code).toBe('forbidden');
  });

  test('of a person makes a program of staff see what that person would see without the role', async () => {
    const { people, hiddenAd } = await createWorld(app);
    const params = { id: hiddenAd.id };
    const reading = await openProgram(people.admin.id, ['ads:read']);
    expect((await reading.call(ads.getAd, { params })).status).toBe(404);
    const all = await openProgram(people.admin.id);
    expect((await all.call(ads.getAd, { params })).status).toBe(404);
    const own = await openProgram(people.owner.id, ['ads:read']);
    expect((await own.call(ads.getAd, { params })).status).toBe(200);
  });

  test('decides cases and bans nobody', async () => {
    const { people, caseId } = await createWorld(app);
    const client = await openProgram(people.admin.id, ['admin:read', 'admin:moderate']);
    const params = { id: caseId };
    expect((await client.ok(getCase, { params })).actions).not.toContain('ban');
    const decide = (action: 'ban' | 'warn') => client.call(decideCase, { params, body: { action, reason: 'scam' } });
    const refused = await decide('ban');
    expect([refused.body.code, refused.headers.get('www-authenticate')]).toEqual([
      'insufficient_scope',
      'Bearer error="insufficient_scope"',
    ]);
    const { banned_at } = (await app.db('users').where({ id: people.owner.id }).first())!;
    expect(banned_at).toBeNull();
    expect((await decide('warn')).status).toBeLessThan(300);
    const { id } = (await app.db('access_tokens').where({ user_id: people.admin.id }).first())!;
    expect(await app.db('audit_log').where({ action: 'report.decide', actor_id: people.admin.id })).toMatchObject([
      { details: { action: 'warn', byToken: id } },
    ]);
  });
});

describe('what everybody may read', () => {
  test('a program reads as a visitor, without any scope for it', async () => {
    const person = await insertUser(app);
    const browser = createClient(url, { Cookie: await openSession(app, person.id) });
    const small = { ...PLACES.berlin, id: '5084633', region: 'New Hampshire', country: 'US', population: 9000 };
    await app.db('places').insert(small);
    await browser.ok(ads.createAd, { body: adBody({ placeId: small.id }) });
    const client = await openProgram(person.id, ['searches:read']);
    const query = { q: 'berlin' };
    expect(await client.ok(listPlaces, { query })).toEqual(await anonymous.ok(listPlaces, { query }));
    expect(await browser.ok(listPlaces, { query })).not.toEqual(await anonymous.ok(listPlaces, { query }));
  });

  test('is not read from the cache of visitors where the two differ', async () => {
    const [seller, buyer] = [await insertUser(app), await insertUser(app)];
    const { id } = await (await openProgram(seller.id)).ok(ads.createAd, {
      body: adBody({ title: 'Only for visitors' }),
    });
    const titles = async (client = anonymous) => (await client.ok(ads.listAds)).map(({ title }) => title);
    const client = await openProgram(buyer.id, ['ads:read', 'profile:read', 'profile:write']);
    expect([await titles(), await titles(client)]).toEqual([
      expect.arrayContaining(['Only for visitors']),
      expect.arrayContaining(['Only for visitors']),
    ]);
    await client.ok(blockUser, { params: { userId: seller.id } });
    expect(await client.ok(listBlocks)).toHaveLength(1);
    for (let i = 0; i < 3; i++) {
      expect(await titles()).toContain('Only for visitors');
      expect(await titles(client)).not.toContain('Only for visitors');
    }
    // and visitors get nothing that a program read
    await (await openProgram(seller.id)).ok(ads.setAdPaused, { params: { id }, body: { paused: true } });
    expect((await (await openProgram(seller.id)).call(ads.getAd, { params: { id } })).status).toBe(200);
    await expect.poll(async () => (await anonymous.call(ads.getAd, { params: { id } })).status).toBe(404);
  });

  test('has what the program wrote a moment ago', async () => {
    const client = await program(['ads:read', 'ads:write']);
    for (let i = 0; i < 5; i++) {
      await Promise.all([anonymous.ok(ads.listAds), anonymous.ok(ads.listAds, { query: { limit: '100' } })]);
      const { id } = await client.ok(ads.createAd, { body: adBody({ title: `Number ${i}` }) });
      for (const limit of ['100', undefined])
        expect((await client.ok(ads.listAds, { query: limit ? { limit } : {} })).map((ad) => ad.id)).toContain(id);
    }
  });
});

describe('an event stream', () => {
  const openStream = async (client: Awaited<ReturnType<typeof program>>) =>
    openEventSource(url + streamMessages.path, client.headers);

  test('ends with its token, and others of the person go on', async () => {
    const { id } = await insertUser(app);
    const stream = await openStream(await openProgram(id, ['messages:read']));
    expect(stream.status).toBe(200);
    const cookie = await openSession(app, id);
    const page = await openEventSource(url + streamMessages.path, { Cookie: cookie });
    await inTransaction(app.db, (trx) => endTokens(trx, id));
    await stream.ended;
    expect(page.isOpen()).toBe(true);
    await page.close();
  });

  test('outlives the session whose cookie came with it', async () => {
    const [person, other] = [await insertUser(app), await insertUser(app)];
    const client = await openProgram(person.id, ['messages:read']);
    client.headers.Cookie = await openSession(app, other.id);
    const stream = await openStream(client);
    await app.db('sessions').where({ user_id: other.id }).delete();
    const witness = await openEventSource(url + streamMessages.path, { Cookie: await openSession(app, other.id) });
    await app.db('sessions').where({ user_id: other.id }).delete();
    await witness.ended;
    expect(stream.isOpen()).toBe(true);
    await inTransaction(app.db, (trx) => endTokens(trx, person.id));
    await stream.ended;
  });

  test('ends once the time of its token is over', async () => {
    const { id } = await insertUser(app);
    const stream = await openStream(await openProgram(id, ['messages:read']));
    await app
      .db('access_tokens')
      .where({ user_id: id })
      .update({
        created_at: app.db.raw("now() - interval '90 days'"),
        expires_at: app.db.raw("now() - interval '1 second'"),
      });
    // a reason to look, as each beat is
    await openSession(app, id);
    await app.db('sessions').where({ user_id: id }).delete();
    await stream.ended;
  });

  test('ends with a suspension', async () => {
    const person = await insertUser(app);
    const stream = await openStream(await openProgram(person.id, ['messages:read']));
    await inTransaction(app.db, (trx) => suspend(trx, person, 1));
    await stream.ended;
    expect((await openStream(await openProgram(person.id))).status).toBe(403);
  });

  test('takes no place from the browsers of its person', async () => {
    const { id } = await insertUser(app);
    const client = await openProgram(id, ['messages:read']);
    const opened = await Promise.all(Array.from({ length: LIMITS.streamsPerUser + 1 }, () => openStream(client)));
    expect(opened.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
    const page = await openEventSource(url + streamMessages.path, { Cookie: await openSession(app, id) });
    expect(page.status).toBe(200);
    await Promise.all([page, ...opened].map((stream) => stream.close()));
  });

  test('needs the scope', async () => {
    expect((await openStream(await program(['messages:write']))).status).toBe(403);
  });
});

describe('limits', () => {
  const from = (ip: string) => ({ 'X-Forwarded-For': ip });

  test('of programs are apart from those of the browser, and shared by all tokens of a person', async () => {
    const { id } = await insertUser(limited.app);
    const browser = createClient(limited.url, { Cookie: await openSession(limited.app, id) });
    const [one, another] = [await openProgram(id, SCOPE_NAMES, limited), await openProgram(id, SCOPE_NAMES, limited)];
    const send = async (client = one) => (await client.send('/api/messages/user')).status;
    for (let i = 0; i < RATE_LIMITS.inbox.points; i++) expect(await send(i % 2 ? one : another)).toBe(200);
    expect([await send(one), await send(another), await send(browser)]).toEqual([429, 429, 200]);
  });

  test('stop who guesses, before the database is asked, and nobody else', async () => {
    const guess = (ip: string, token = createTokenText()) =>
      createClient(limited.url, { Authorization: `Bearer ${token}` }).send('/api/auth/me', { headers: from(ip) });
    for (let i = 0; i < RATE_LIMITS.unknownToken.points; i++) expect((await guess('9.9.9.9')).status).toBe(401);
    expect((await guess('9.9.9.9')).status).toBe(429);
    // a typing error costs no query, so it does not count
    expect((await guess('9.9.9.9', `${createTokenText()}x`)).status).toBe(401);
    const token = (await openToken(limited.app, (await insertUser(limited.app)).id)).slice('Bearer '.length);
    expect([(await guess('9.9.9.9', token)).status, (await guess('9.9.9.8', token)).status]).toEqual([429, 200]);
    for (let i = 0; i < 2 * RATE_LIMITS.unknownToken.points; i++)
      expect((await guess('9.9.9.7', `tp_pat_${'a'.repeat(36)}`)).status).toBe(401);
  });

  test('count one that was revoked once, and leave alone what worked, when many programs share an address', async () => {
    const ask = (authorization: string) =>
      createClient(limited.url, { Authorization: authorization }).send('/api/auth/me', { headers: from('9.9.8.1') });
    const [mine, theirs] = [await insertUser(limited.app), await insertUser(limited.app)];
    const [revoked, working] = [await openToken(limited.app, mine.id), await openToken(limited.app, theirs.id)];
    expect([(await ask(revoked)).status, (await ask(working)).status]).toEqual([200, 200]);
    await inTransaction(limited.app.db, (trx) => endTokens(trx, mine.id));
    for (let i = 0; i < 2 * RATE_LIMITS.unknownToken.points; i++) expect((await ask(revoked)).status).toBe(401);
    expect((await ask(await openToken(limited.app, theirs.id))).status).toBe(200);
    for (let i = 1; i < RATE_LIMITS.unknownToken.points; i++) await ask(`Bearer ${createTokenText()}`);
    expect((await ask(`Bearer ${createTokenText()}`)).status).toBe(429);
    expect((await ask(working)).status).toBe(200);
    await inTransaction(limited.app.db, (trx) => endTokens(trx, theirs.id));
    expect([401, 429]).toContain((await ask(working)).status);
  });
});
