import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logout, signInAdmin } from '../../../contract/auth.ts';
import type { BodyInput } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/push.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { type Client, createBrowser, createClient } from '../../../test/harness/client.ts';
import { insertAdmin, insertUser, PASSWORD } from '../../../test/harness/factories.ts';
import { insertWorded, type WordedNotification } from '../../../test/harness/notifications.ts';
import { createBrowserKeys, type PushService, startPushService } from '../../../test/harness/push-service.ts';
import { openSession } from '../../../test/harness/sessions.ts';
import { readConfig } from '../../config/load.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createPushKeys } from '../../integrations/push/push.ts';
import { endSessions } from '../sessions/session-repository.ts';
import { claimSubscriptions } from './repository.ts';
import { getPushKeys, type PushNotification, sendPush } from './send.ts';

const { app, url, signIn } = await openTestApp();
let service: PushService;

beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

const createPerson = async () => {
  const { id } = await insertUser(app);
  const client = await signIn(id);
  const subscribe = async (browser = service.subscribe()) => {
    await client.ok(api.subscribeToPush, { body: { endpoint: browser.endpoint, keys: browser.keys } });
    return browser;
  };
  return { id, client, subscribe };
};

const listEndpoints = async (client: Client) =>
  (await client.ok(api.listPushSubscriptions)).map(({ endpoint }) => endpoint);

/** Inserts a notification and returns it as the delivery reads it. */
const notify = async (userId: string, fields: Partial<WordedNotification> = {}): Promise<PushNotification> => {
  const title = 'We removed the ad you reported.';
  await inTransaction(app.db, (trx) => insertWorded(trx, [{ userId, kind: 'report_outcome', title, ...fields }]));
  const [row] = await app.db('notifications').where({ user_id: userId }).orderBy('id', 'desc').limit(1);
  return row as PushNotification;
};

const RESULT = { sent: 0, waiting: 0, failed: 0, gone: 0, error: null };

describe('subscribing', () => {
  test('a browser is listed once, newest first, and only for its user', async () => {
    const [anna, ben] = [await createPerson(), await createPerson()];
    const [phone, laptop] = [await anna.subscribe(), await anna.subscribe()];
    const again = { endpoint: phone.endpoint, keys: phone.keys };
    expect((await anna.client.call(api.subscribeToPush, { body: again })).status).toBe(200);
    expect(await listEndpoints(anna.client)).toEqual([phone.endpoint, laptop.endpoint]);
    expect(await listEndpoints(ben.client)).toEqual([]);
    await ben.client.ok(api.unsubscribeFromPush, { body: { endpoint: phone.endpoint } });
    await anna.client.ok(api.unsubscribeFromPush, { body: { endpoint: laptop.endpoint } });
    await anna.client.ok(api.unsubscribeFromPush, { body: { endpoint: laptop.endpoint } });
    expect(await listEndpoints(anna.client)).toEqual([phone.endpoint]);
  });

  test('a browser belongs to the user who subscribed last, also when two do at once', async () => {
    const [anna, ben] = [await createPerson(), await createPerson()];
    const shared = await anna.subscribe();
    await ben.subscribe(shared);
    expect(await listEndpoints(anna.client)).toEqual([]);
    expect(await sendPush(app, await notify(anna.id))).toEqual(RESULT);
    expect(await sendPush(app, await notify(ben.id, { title: 'For Ben' }))).toMatchObject({ sent: 1 });
    expect(shared.pushes.map(({ payload }) => payload.title)).toEqual(['For Ben']);
    const other = service.subscribe();
    await Promise.all([anna.subscribe(other), ben.subscribe(other), anna.subscribe(other)]);
    expect(await app.db('push_subscriptions').where({ endpoint: other.endpoint })).toHaveLength(1);
  });

  test('the oldest of more browsers than allowed is forgotten, also when they subscribe at once', async () => {
    const anna = await createPerson();
    const first = await anna.subscribe();
    await Promise.all(Array.from({ length: LIMITS.pushSubscriptions + 3 }, () => anna.subscribe()));
    const endpoints = await listEndpoints(anna.client);
    expect(endpoints).toHaveLength(LIMITS.pushSubscriptions);
    expect(endpoints).not.toContain(first.endpoint);
  });

  const GOOD = 'https://push.example/send/abc';
  const POINT = createBrowserKeys().ecdh.getPublicKey().toString('base64url');
  test.each([
    ['endpoint', { endpoint: 'http://push.example/send/abc' }],
    ['endpoint', { endpoint: 'https://user:secret@push.example/' }],
    ['endpoint', { endpoint: `${GOOD}${'x'.repeat(LIMITS.pushEndpoint)}` }],
    ['endpoint', { endpoint: 'https://push.example/\r\nHost: other' }],
    ['endpoint', { endpoint: 'https://püsh.example/' }],
    ['endpoint', { endpoint: 'ftp://push.example/' }],
    ['endpoint', { endpoint: 'https://10.1.2.3/send' }],
    ['endpoint', { endpoint: 'https://169.254.169.254/latest/meta-data' }],
    ['endpoint', { endpoint: 'https://[fd00::1]/send' }],
    ['endpoint', { endpoint: 'https://[::ffff:192.168.0.1]/send' }],
    ['endpoint', { endpoint: 'https://2130706432.0/' }],
    ['endpoint', { endpoint: 5 }],
    ['keys', { keys: { p256dh: 'x', auth: 'A'.repeat(22) } }],
    ['keys', { keys: { p256dh: `BA${'A'.repeat(85)}`, auth: 'A'.repeat(22) } }],
    ['keys', { keys: { p256dh: POINT, auth: 'A'.repeat(21) } }],
    ['keys', { keys: { p256dh: POINT } }],
    ['keys', { keys: undefined }],
  ])('a bad %s is refused: %j', async (field, part) => {
    const { client } = await createPerson();
    const { keys } = service.subscribe();
    const body = { endpoint: GOOD, keys, ...part } as BodyInput<typeof api.subscribeToPush>;
    const response = await client.call(api.subscribeToPush, { body });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([400, [field]]);
    expect(await listEndpoints(client)).toEqual([]);
  });
});

describe('the end of a session', () => {
  test('logging out ends push to this browser only', async () => {
    const anna = await createPerson();
    const phone = await anna.subscribe();
    const laptop = await signIn(anna.id);
    const browser = service.subscribe();
    await laptop.ok(api.subscribeToPush, { body: { endpoint: browser.endpoint, keys: browser.keys } });
    await laptop.ok(logout);
    expect(await listEndpoints(anna.client)).toEqual([phone.endpoint]);
  });

  describe.each([
    [
      'expired',
      (userId: string) => app.db('sessions').where({ user_id: userId }).update({ last_seen_at: '2020-01-01' }),
    ],
    ['was swept', (userId: string) => app.db('sessions').where({ user_id: userId }).delete()],
  ])('after the session %s', (_, end) => {
    /** A person whose session is over, with a browser that still has its cookie. */
    const createExpired = async (userId?: string) => {
      const id = userId ?? (await insertUser(app)).id;
      const browser = createBrowser(url);
      for (const pair of (await openSession(app, id)).split('; ')) {
        const [name = '', value = ''] = pair.split('=');
        browser.cookies.set(name, value);
      }
      const { endpoint, keys } = service.subscribe();
      await browser.ok(api.subscribeToPush, { body: { endpoint, keys } });
      await end(id);
      return { id, browser, endpoint };
    };
    const findOwners = (endpoint: string) => app.db('push_subscriptions').where({ endpoint }).pluck('user_id');
    const signInAs = (browser: Client, username: string) =>
      browser.ok(signInAdmin, { body: { username, password: PASSWORD } });

    test('push goes on; logging out ends it and forgets the cookie', async () => {
      const { id, browser, endpoint } = await createExpired();
      expect(await findOwners(endpoint)).toEqual([id]);
      await browser.ok(logout);
      expect(await findOwners(endpoint)).toEqual([]);
      expect([...browser.cookies.keys()].filter((name) => name.startsWith('connect.sid'))).toEqual([]);
    });

    test('another person who signs in in this browser ends it there only', async () => {
      const { id, browser, endpoint } = await createExpired();
      const elsewhere = await createExpired(id);
      await signInAs(browser, (await insertAdmin(app)).login);
      expect([await findOwners(endpoint), await findOwners(elsewhere.endpoint)]).toEqual([[], [id]]);
    });

    test('the same person who signs in again keeps it, until they log out', async () => {
      const admin = await insertAdmin(app);
      const { browser, endpoint } = await createExpired(admin.id);
      await signInAs(browser, admin.login);
      expect(await findOwners(endpoint)).toEqual([admin.id]);
      await browser.ok(logout);
      expect(await findOwners(endpoint)).toEqual([]);
    });
  });

  test('sessions that are ended for a user end push to all of their browsers, also after the session expired', async () => {
    const [anna, ben] = [await createPerson(), await createPerson()];
    await anna.subscribe();
    await ben.subscribe();
    const expired = await openSession(app, anna.id);
    const browser = service.subscribe();
    await createClient(url, { Cookie: expired }).ok(api.subscribeToPush, {
      body: { endpoint: browser.endpoint, keys: browser.keys },
    });
    await app.db.raw(
      `delete from sessions where sid_hash = (select session_hash from push_subscriptions where endpoint = ?)`,
      [browser.endpoint],
    );
    await inTransaction(app.db, (trx) => endSessions(trx, { userId: anna.id }));
    expect(await app.db('push_subscriptions').where({ user_id: anna.id })).toEqual([]);
    expect(await app.db('push_subscriptions').where({ user_id: ben.id })).toHaveLength(1);
  });

  test('a session that ended because it is old ends push to its browser, although it subscribed later', async () => {
    const anna = await createPerson();
    await app.db('sessions').where({ user_id: anna.id }).update({ created_at: '2026-01-01T00:00:00Z' });
    await anna.subscribe();
    await inTransaction(app.db, (trx) => endSessions(trx, { startedBefore: '2026-01-02T00:00:00Z' }));
    expect(await app.db('push_subscriptions').where({ user_id: anna.id })).toEqual([]);
  });
});

describe('sending', () => {
  test('every browser gets title and text of that notification, encrypted and signed with the key that it was given', async () => {
    const anna = await createPerson();
    const browsers = [await anna.subscribe(), await anna.subscribe()];
    const body = 'x'.repeat(1000);
    const notification = await notify(anna.id, { kind: 'price_drop', title: 'Price “dropped”', body, url: '/ads/5' });
    expect(await sendPush(app, notification)).toEqual({ ...RESULT, sent: 2 });
    const { publicKey } = await anna.client.ok(api.getPushKey);
    for (const { pushes } of browsers) {
      expect(pushes).toHaveLength(1);
      expect(pushes[0]!.publicKey).toBe(publicKey);
      expect(pushes[0]!.headers).toMatchObject({
        ttl: '86400',
        urgency: 'low',
        topic: expect.stringMatching(/^[\w-]{32}$/),
      });
      const { id } = notification;
      expect(pushes[0]!.payload).toEqual({ id, title: 'Price “dropped”', body: `${'x'.repeat(199)}…`, url: '/ads/5' });
      expect(pushes[0]!.body.toString('latin1')).not.toContain('dropped');
    }
  });

  test('the longest notification fits', async () => {
    const anna = await createPerson();
    const browser = await anna.subscribe();
    const [title, body] = ['\u0001'.repeat(200), '\u0001'.repeat(1000)];
    expect(await sendPush(app, await notify(anna.id, { title, body, url: `/${'é'.repeat(499)}` }))).toMatchObject({
      sent: 1,
    });
    expect(browser.pushes[0]!.body.length).toBeLessThanOrEqual(4096);
  });

  test('a browser gets a notification once, however often and however concurrently it is sent', async () => {
    const anna = await createPerson();
    const browser = await anna.subscribe();
    const notification = await notify(anna.id);
    await Promise.all([1, 2, 3, 4].map(() => sendPush(app, notification)));
    expect(await sendPush(app, notification)).toEqual(RESULT);
    expect(browser.pushes).toHaveLength(1);
  });

  test('a browser that was claimed before a crash is not tried again; the others are', async () => {
    const anna = await createPerson();
    const [tried, notTried] = [await anna.subscribe(), service.subscribe()];
    const notification = await notify(anna.id);
    await claimSubscriptions(app.db, notification.id);
    await anna.subscribe(notTried);
    expect(await sendPush(app, notification)).toEqual({ ...RESULT, sent: 1 });
    expect([tried.pushes.length, notTried.pushes.length]).toEqual([0, 1]);
  });

  test.each([
    [404, 'gone'],
    [410, 'gone'],
    [429, 'waiting'],
    [503, 'waiting'],
    [400, 'failed'],
    [403, 'failed'],
    [413, 'failed'],
    [500, 'failed'],
    [301, 'failed'],
    [undefined, 'failed'],
  ] as const)('a push service that responds %s: %s; the other browser gets it once', async (status, outcome) => {
    const anna = await createPerson();
    const [bad, good] = [await anna.subscribe(), await anna.subscribe()];
    bad.respond(status);
    const notification = await notify(anna.id);
    const result = await sendPush(app, notification);
    expect(result).toEqual({ ...RESULT, sent: 1, [outcome]: 1, error: expect.stringContaining('127.0.0.1') });
    expect((await listEndpoints(anna.client)).includes(bad.endpoint)).toBe(outcome !== 'gone');
    const later = await sendPush(app, notification);
    expect(later).toEqual({ ...RESULT, sent: outcome === 'waiting' ? 1 : 0 });
    expect([bad.pushes.length, good.pushes.length]).toEqual([outcome === 'waiting' ? 1 : 0, 1]);
  });

  test('a push service that is down may be tried again', async () => {
    const other = await startPushService();
    const anna = await createPerson();
    await anna.subscribe(other.subscribe());
    await other.close();
    const notification = await notify(anna.id);
    for (const _ of [1, 2])
      expect(await sendPush(app, notification)).toEqual({
        ...RESULT,
        waiting: 1,
        error: expect.stringContaining('ECONNREFUSED'),
      });
  });

  test('an endpoint that names a private address is deleted without a connection', async () => {
    const anna = await createPerson();
    const browser = await anna.subscribe();
    // stored before this was refused
    await app
      .db('push_subscriptions')
      .where({ endpoint: browser.endpoint })
      .update({ endpoint: 'https://192.168.1.1/push' });
    expect(await sendPush(app, await notify(anna.id))).toMatchObject({
      gone: 1,
      error: expect.stringContaining('not on the public internet'),
    });
    expect(await listEndpoints(anna.client)).toEqual([]);
  });
});

describe('keys', () => {
  test('two replicas that start at once create one pair', async () => {
    const { app: first } = await openTestApp();
    const second = { config: first.config, db: first.jobsDb };
    const keys = await Promise.all([first, second, first, second].map((replica) => getPushKeys(replica)));
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(new Set(keys.map(({ privateKey }) => privateKey)).size).toBe(1);
    expect(await first.db('push_keys')).toHaveLength(1);
    expect(await getPushKeys(first)).toEqual(keys[0]);
  });

  test('the configuration may set them', async () => {
    const keys = await createPushKeys();
    const env = { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey };
    expect(await getPushKeys({ db: app.db, config: readConfig(env) })).toEqual(keys);
    expect(() => readConfig({ VAPID_PUBLIC_KEY: keys.publicKey })).toThrow('required together');
    expect(() => readConfig({ ...env, VAPID_PRIVATE_KEY: 'short' })).toThrow('32 bytes');
  });
});
