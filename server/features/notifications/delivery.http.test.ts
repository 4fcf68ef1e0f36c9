import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { updateNotificationSettings } from '../../../contract/notification-settings.ts';
import { markNotificationRead, sendNotice } from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { insertWorded, type WordedNotification } from '../../../test/harness/notifications.ts';
import { startPushService } from '../../../test/harness/push-service.ts';
import { openSmtpServer, openStalledSmtpServer } from '../../../test/harness/smtp-server.ts';
import { createAppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs, startWorker } from '../../jobs/worker.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { sweepDeliveries } from './delivery.ts';
import { reserveMailSlot } from './delivery-repository.ts';

const HOUR = 3_600_000;
const smtp = await openSmtpServer();
const push = await startPushService();
afterAll(() => push.close());
const stalled = await openStalledSmtpServer();
const { app, signIn } = await openTestApp({ env: { SMTP_URL: smtp.url, MAIL_PER_SECOND: '1000' } });
const noMail = createAppContext({ ...app.config, smtpUrl: undefined }, { log: app.log });
const stuck = createAppContext({ ...app.config, smtpUrl: stalled.url, mailConnections: 2 }, { log: app.log });
const slow = createAppContext({ ...app.config, mailPerSecond: 20 }, { log: app.log });
afterAll(() => Promise.all([noMail, stuck, slow].map((ctx) => ctx.close())));

beforeEach(async () => {
  smtp.letters.length = 0;
  smtp.refuse(0);
  await app.db.raw('delete from graphile_worker._private_jobs; delete from notification_deliveries');
});

const insertPerson = async (columns = {}) => {
  const { id } = await insertUser(app, columns);
  const address = `person-${id}@mail.example`;
  await app.db('email_addresses').insert({ user_id: id, address, uses_x: false, confirmed_at: app.db.fn.now() });
  return { id, address };
};
const notify = async (userId: string, fields: Partial<WordedNotification> = {}): Promise<string> => {
  await inTransaction(app.db, (trx) =>
    insertWorded(trx, [{ userId, kind: 'ad_approved', title: 'Your ad is approved', url: '/ads/5', ...fields }]),
  );
  return (await app.db('notifications').where({ user_id: userId }).max('id as id').first())!.id;
};
const findMail = (notification_id: string) =>
  app.db('notification_deliveries').where({ notification_id, channel: 'email' }).first();
const runJobs = (ctx = app) => runDueJobs(ctx, jobHandlers);
const makeDue = () => app.db.raw('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
const listJobs = (name: string) => app.db('graphile_worker.jobs').where({ task_identifier: name });
const receivers = () => smtp.letters.flatMap(({ to }) => to);
const readHeader = (data: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(data.slice(0, data.indexOf('\n\n')).replace(/\n[ \t]+/g, ' '))?.[1];

describe('a mail', () => {
  test('goes to the confirmed address, with the notification, an absolute link and what mail programs need', async () => {
    const { id: userId, address } = await insertPerson();
    const id = await notify(userId, { title: 'Your ad “Kettle” is approved', body: 'Everyone can see it now.' });
    await runJobs();
    expect(receivers()).toEqual([`<${address}>`]);
    const { data } = smtp.letters[0]!;
    expect(readHeader(data, 'Auto-Submitted')).toBe('auto-generated');
    expect(readHeader(data, 'Message-ID')).toMatch(new RegExp(`^<notification-${id}-\\w+@localhost>$`));
    expect(readHeader(data, 'List-Unsubscribe')).toMatch(`<${app.config.publicUrl}/unsubscribe?token=`);
    expect(readHeader(data, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(data).toContain('text/plain');
    expect(data).toContain('text/html');
    const text = data.replace(/=\n/g, '').replaceAll('=3D', '=');
    expect(text).toContain(`${app.config.publicUrl}/ads/5`);
    expect(text).toContain('Everyone can see it now.');
    expect(await findMail(id)).toMatchObject({ status: 'sent', attempts: 1, error: null });
  });

  test('is sent once, however often the notification is dispatched and its job runs', async () => {
    const { id: userId } = await insertPerson();
    const id = await notify(userId);
    await runJobs();
    for (let n = 0; n < 3; n++) {
      await app.db.raw(`select graphile_worker.add_job('dispatch-notifications', ?::json)`, [
        JSON.stringify({ ids: [id] }),
      ]);
      await app.db.raw(`select graphile_worker.add_job('deliver-mail', ?::json)`, [
        JSON.stringify({ notificationId: id }),
      ]);
    }
    await runJobs();
    expect(smtp.letters).toHaveLength(1);
  });

  test('is sent once by many workers at once', async () => {
    const { id: userId } = await insertPerson();
    const id = await notify(userId);
    await runJobs(noMail);
    await app.db('notification_deliveries').insert({ notification_id: id, channel: 'email' });
    for (let n = 0; n < 12; n++)
      await app.db.raw(`select graphile_worker.add_job('deliver-mail', ?::json)`, [
        JSON.stringify({ notificationId: id }),
      ]);
    const workers = [startWorker(app, jobHandlers), startWorker(app, jobHandlers)];
    await expect.poll(async () => (await findMail(id)).status).toBe('sent');
    await expect.poll(() => listJobs('deliver-mail').whereNull('key')).toEqual([]);
    await Promise.all(workers.map((worker) => worker.stop(HOUR)));
    expect(smtp.letters).toHaveLength(1);
  });

  test.each([
    ['has no confirmed address', (id: string) => app.db('email_addresses').where({ user_id: id }).delete()],
    [
      'paused mail',
      (id: string) => app.db('email_addresses').where({ user_id: id }).update({ paused_at: app.db.fn.now() }),
    ],
    [
      'switched mail of this kind off',
      async (id: string) =>
        (await signIn(id)).ok(updateNotificationSettings, { body: { ad_approved: { email: false } } }),
    ],
  ])('is not even queued for a person who %s', async (_, prepare) => {
    const { id: userId } = await insertPerson();
    await prepare(userId);
    const id = await notify(userId);
    await runJobs();
    expect([await findMail(id), smtp.letters]).toEqual([undefined, []]);
  });

  test('does not exist without a mail server', async () => {
    const id = await notify((await insertPerson()).id);
    await runJobs(noMail);
    expect([await findMail(id), smtp.letters]).toEqual([undefined, []]);
  });
});

describe('a mail that waits is skipped when meanwhile', () => {
  const BUSY = [1, '451 try again later'] as const;
  const begin = async (fields: Partial<WordedNotification> = {}) => {
    const person = await insertPerson();
    smtp.refuse(...BUSY);
    const id = await notify(person.id, fields);
    await runJobs();
    expect(await findMail(id)).toMatchObject({ status: 'waiting', attempts: 1, error: '451 try again later' });
    return { ...person, notificationId: id };
  };
  type Waiting = Awaited<ReturnType<typeof begin>>;
  const setUser = (columns: object) => (at: Waiting) => app.db('users').where({ id: at.id }).update(columns);
  const now = () => new Date().toISOString();

  test.each<[string, (at: Waiting) => Promise<unknown>, string]>([
    [
      'it was read',
      async ({ id, notificationId }) => (await signIn(id)).ok(markNotificationRead, { params: { id: notificationId } }),
      'read',
    ],
    ['the receiver was banned', (at) => setUser({ banned_at: now() })(at), 'account suspended'],
    ['the receiver was suspended', (at) => setUser({ suspended_until: '2100-01-01' })(at), 'account suspended'],
    ['the receiver was deleted', (at) => setUser({ deleted_at: now() })(at), 'account deleted'],
    [
      'the kind was switched off',
      async ({ id }) => (await signIn(id)).ok(updateNotificationSettings, { body: { ad_approved: { email: false } } }),
      'switched off',
    ],
    ['the address was removed', ({ id }) => app.db('email_addresses').where({ user_id: id }).delete(), 'no address'],
  ])('%s', async (_, change, error) => {
    const at = await begin();
    await change(at);
    await makeDue();
    await runJobs();
    expect(await findMail(at.notificationId)).toMatchObject({ status: 'skipped', error, attempts: 1 });
    expect(smtp.letters).toEqual([]);
  });

  test.each(['the receiver', 'the source'])('%s blocked the other', async (who) => {
    const source = (await insertUser(app)).id;
    const at = await begin({ sourceUserId: source });
    const [blocker_id, blocked_id] = who === 'the source' ? [source, at.id] : [at.id, source];
    await app.db('blocks').insert({ blocker_id, blocked_id });
    await makeDue();
    await runJobs();
    expect(await findMail(at.notificationId)).toMatchObject({ status: 'skipped', error: 'blocked' });
  });

  test('the source was banned', async () => {
    const source = (await insertUser(app)).id;
    const at = await begin({ sourceUserId: source });
    await setUser({ banned_at: now() })({ ...at, id: source });
    await makeDue();
    await runJobs();
    expect(await findMail(at.notificationId)).toMatchObject({ status: 'skipped' });
  });

  test('but a decision reaches the person whom it shuts out', async () => {
    const { id: userId } = await insertPerson({ suspended_until: '2100-01-01T00:00:00Z' });
    await notify(userId, { kind: 'decision', title: 'Your account is suspended' });
    await runJobs();
    expect(smtp.letters).toHaveLength(1);
  });
});

describe('a mail server that', () => {
  test('does not take a mail gets it again after 30 s, 2 min, 10 min, 1 h and 6 h, and not after that', async () => {
    smtp.refuse(6);
    const id = await notify((await insertPerson()).id);
    const waits: number[] = [];
    await runJobs();
    for (let n = 0; n < 5; n++) {
      const [job] = await listJobs('deliver-mail');
      const { next_attempt_at, updated_at } = await findMail(id);
      expect(Date.parse(job.run_at)).toBe(Date.parse(next_attempt_at));
      waits.push(Math.round((Date.parse(next_attempt_at) - Date.parse(updated_at)) / 1000));
      await makeDue();
      await runJobs();
    }
    expect(waits).toEqual([30, 120, 600, 3600, 21_600]);
    expect(await findMail(id)).toMatchObject({ status: 'failed', attempts: 6, error: '451 try again later' });
    expect(await listJobs('deliver-mail')).toEqual([]);
  });

  test('refuses the address for good switches it off and tells its owner in the product', async () => {
    const { id: userId, address } = await insertPerson();
    smtp.refuse(1, '550 5.1.1 no such user', 'RCPT');
    const id = await notify(userId);
    await runJobs();
    expect(await findMail(id)).toMatchObject({ status: 'failed', error: '550 5.1.1 no such user' });
    expect(await app.db('email_addresses').where({ user_id: userId }).first()).toMatchObject({
      refused_address: address,
    });
    const told = await app.db('notifications').where({ user_id: userId, kind: 'notice' });
    expect(told).toMatchObject([{ title: 'Your e-mail address does not accept mail' }]);
    await notify(userId);
    await runJobs();
    expect(smtp.letters).toEqual([]);
  });

  test('refuses the address while its owner deletes the account does not disturb the deletion', async () => {
    const { id: userId } = await insertPerson();
    const id = await notify(userId);
    smtp.refuse(1, '550 5.1.1 no such user', 'RCPT');
    const deletion = await app.db.transaction();
    await lockUserForUpdate(deletion, userId);
    const attempt = runJobs();
    const findWaiting = () =>
      app
        .db('pg_stat_activity')
        .where({ wait_event_type: 'Lock' })
        .whereRaw('datname = current_database()')
        .first('pid');
    await expect.poll(findWaiting).toBeDefined();
    await deletion('notifications').where({ user_id: userId }).delete();
    await deletion.commit();
    await attempt;
    expect(await findMail(id)).toBeUndefined();
    expect(await listJobs('deliver-mail')).toEqual([]);
  });

  test.each([
    ['554 5.7.1 spam', 'DATA'],
    ['550 5.7.1 relaying denied', 'RCPT'],
  ] as const)('refuses the message for good ("%s") keeps the address', async (response, command) => {
    const { id: userId } = await insertPerson();
    smtp.refuse(1, response, command);
    const id = await notify(userId);
    await runJobs();
    expect(await findMail(id)).toMatchObject({ status: 'failed', error: response });
    expect(await app.db('email_addresses').where({ user_id: userId }).first()).toMatchObject({ refused_address: null });
  });

  test('responds slowly does not hold other jobs', async () => {
    const { id: userId } = await insertPerson();
    for (let n = 0; n < 10; n++) await notify(userId);
    const worker = startWorker(stuck, jobHandlers);
    // one of its two connections is for mail to many people
    await expect.poll(stalled.waiting).toBe(1);
    await app.db('users').where({ id: userId }).update({ suspended_until: '2020-01-01T00:00:00Z' });
    await app.db.raw(`select graphile_worker.add_job('end-suspensions', '{}'::json)`);
    await expect.poll(async () => (await app.db('users').where({ id: userId }).first()).suspended_until).toBeNull();
    expect(stalled.waiting()).toBe(1);
    expect((await listJobs('deliver-mail')).length).toBe(10);
    const stopped = worker.stop(HOUR);
    stalled.cut();
    await stopped;
  });
});

describe('the rate', () => {
  test('concurrent workers of several replicas never share a moment', async () => {
    const other = createAppContext(app.config, { log: app.log });
    try {
      await app.db('mail_slots').delete();
      const start = Date.parse((await app.db.raw('select clock_timestamp() as now')).rows[0].now);
      const gapMs = 100;
      const reserve = async (n: number): Promise<void> => {
        const { isReserved, waitMs } = await reserveMailSlot(n % 2 ? app.db : other.db, 'all', gapMs);
        // the first free slot never lies more than a second ahead
        expect(waitMs).toBeLessThanOrEqual(1000);
        if (isReserved) return;
        await setTimeout(waitMs);
        return reserve(n);
      };
      await Promise.all(Array.from({ length: 40 }, (_, n) => reserve(n)));
      const [{ next_at }] = await app.db('mail_slots');
      expect(Date.parse(next_at) - start).toBeGreaterThanOrEqual(40 * gapMs);
    } finally {
      await app.db('mail_slots').delete();
      await other.close();
    }
  });

  test('a moment that a later clock wrote delays nobody', async () => {
    await app.db('mail_slots').delete();
    await app.db.raw(`insert into mail_slots (lane, next_at) values ('all', now() + interval '11 minutes')`);
    expect(await reserveMailSlot(app.db, 'all', 100)).toMatchObject({ isReserved: true, waitMs: 0 });
    await app.db('mail_slots').delete();
  });

  test('a notice to 5,000 people does not delay a mail to one', async () => {
    await app.db.raw(
      `with crowd as (insert into users (x_id, username, display_name)
         select (9000000 + n)::text, 'reader_' || n, 'Reader ' || n from generate_series(1, 5000) n returning id)
       insert into email_addresses (user_id, address, uses_x, confirmed_at)
         select id, 'crowd-' || id || '@mail.example', false, now() from crowd`,
    );
    const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
    const person = await insertPerson();
    await admin.ok(sendNotice, { body: { title: 'New rules', body: 'For everyone.' } });
    const worker = startWorker(slow, jobHandlers);
    const mails = () => app.db('notification_deliveries').count('* as count').first();
    await expect.poll(async () => Number((await mails())!.count)).toBeGreaterThanOrEqual(5000);
    await expect.poll(() => smtp.letters.length).toBeGreaterThan(5);
    const countNotices = async (status: string): Promise<number> => {
      const { rows } = await app.db.raw(
        `select count(*)::int as count from notification_deliveries d join notifications n on n.id = d.notification_id
         where n.kind = 'notice' and d.status = ?`,
        [status],
      );
      return rows[0].count;
    };
    // every worker for the notice waits for the mail server
    smtp.hold();
    const workers = slow.config.mailConnections / 2;
    await expect.poll(() => countNotices('sending')).toBe(workers);
    await notify(person.id, { kind: 'message', title: 'A message' });
    const index = () => smtp.letters.findIndex(({ data }) => data.includes('Subject: A message'));
    await expect.poll(index).toBeGreaterThan(0);
    expect(await countNotices('sending')).toBe(workers);
    smtp.release();
    await worker.stop(HOUR);
    expect(await countNotices('waiting')).toBeGreaterThan(2500);
    const bulk = await listJobs('deliver-bulk-mail');
    expect(new Set(bulk.map(({ priority }) => priority))).toEqual(new Set([100]));
  });
});

test('a delivery whose job was lost gets another', async () => {
  const id = await notify((await insertPerson()).id);
  await runJobs(noMail);
  await app.db('notification_deliveries').insert({ notification_id: id, channel: 'email' });
  await sweepDeliveries(app);
  expect(await listJobs('deliver-mail')).toEqual([]);
  const touch = (age: string) =>
    app.db('notification_deliveries').update({ updated_at: app.db.raw('now() - ?::interval', [age]) });
  // looked at before, and again in each hour
  await touch('50 minutes');
  await sweepDeliveries(app);
  expect(await listJobs('deliver-mail')).toEqual([]);
  await touch('5 hours 4 minutes');
  await sweepDeliveries(app);
  expect(await listJobs('deliver-mail')).toHaveLength(1);
  await app.db('graphile_worker._private_jobs').delete();
  await touch('4 minutes');
  await sweepDeliveries(app);
  await sweepDeliveries(app);
  expect(await listJobs('deliver-mail')).toHaveLength(1);
  await runJobs();
  expect(smtp.letters).toHaveLength(1);
});

describe('a push', () => {
  const subscribe = async (user_id: string) => {
    const browser = push.subscribe();
    const keys = {
      p256dh: Buffer.from(browser.keys.p256dh, 'base64url'),
      auth: Buffer.from(browser.keys.auth, 'base64url'),
    };
    await app.db('push_subscriptions').insert({ user_id, endpoint: browser.endpoint, ...keys });
    return browser;
  };
  const findPush = (notification_id: string) =>
    app.db('notification_deliveries').where({ notification_id, channel: 'push' }).first();

  test('goes to every browser of the receiver, beside the mail', async () => {
    const { id: userId } = await insertPerson();
    const browsers = [await subscribe(userId), await subscribe(userId)];
    const id = await notify(userId, { body: 'Everyone can see it now.' });
    await runJobs();
    for (const { pushes } of browsers)
      expect(pushes.map(({ payload }) => payload)).toEqual([
        { id, title: 'Your ad is approved', body: 'Everyone can see it now.', url: '/ads/5' },
      ]);
    expect(await findPush(id)).toMatchObject({ status: 'sent' });
    expect(smtp.letters).toHaveLength(1);
  });

  test('that a push service does not take is tried again for this browser alone', async () => {
    const { id: userId } = await insertPerson();
    const [busy, idle] = [await subscribe(userId), await subscribe(userId)];
    busy.respond(503);
    const id = await notify(userId);
    await runJobs();
    expect(await findPush(id)).toMatchObject({ status: 'waiting', error: expect.stringContaining('503') });
    await makeDue();
    await runJobs();
    expect([busy.pushes.length, idle.pushes.length, (await findPush(id)).status]).toEqual([1, 1, 'sent']);
  });

  test('is skipped once the notification was read, and not queued where push is off', async () => {
    const { id: userId } = await insertPerson();
    const browser = await subscribe(userId);
    browser.respond(503);
    const id = await notify(userId);
    await runJobs();
    const client = await signIn(userId);
    await client.ok(markNotificationRead, { params: { id } });
    await makeDue();
    await runJobs();
    expect(await findPush(id)).toMatchObject({ status: 'skipped', error: 'read' });
    await client.ok(updateNotificationSettings, { body: { ad_approved: { push: false } } });
    const quiet = await notify(userId);
    await runJobs();
    expect([await findPush(quiet), browser.pushes]).toEqual([undefined, []]);
  });

  test('of a browser that is gone ends', async () => {
    const { id: userId } = await insertPerson();
    (await subscribe(userId)).respond(410);
    const id = await notify(userId);
    await runJobs();
    expect(await findPush(id)).toMatchObject({ status: 'skipped', error: 'no browser' });
  });

  test('to a service that responds slowly does not hold mail', async () => {
    const { id: userId } = await insertPerson();
    let calls = 0;
    const silent = createServer(() => void calls++);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    afterAll(() => silent.close());
    const { endpoint } = await subscribe(userId);
    const { port } = silent.address() as AddressInfo;
    await app
      .db('push_subscriptions')
      .where({ endpoint })
      .update({ endpoint: `http://127.0.0.1:${port}/` });
    for (let n = 0; n < 10; n++) await notify(userId);
    const worker = startWorker(app, jobHandlers);
    await expect.poll(() => smtp.letters.length).toBe(10);
    await expect.poll(() => calls).toBeGreaterThan(0);
    expect(await app.db('notification_deliveries').where({ status: 'sent', channel: 'push' })).toEqual([]);
    const stopped = worker.stop(HOUR);
    silent.closeAllConnections();
    silent.on('connection', (socket) => socket.destroy());
    await stopped;
  });
});
