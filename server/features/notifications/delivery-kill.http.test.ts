import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { insertWorded } from '../../../test/harness/notifications.ts';
import { startPushService } from '../../../test/harness/push-service.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';

const smtp = await openSmtpServer();
const push = await startPushService();
afterAll(() => push.close());
const { app, url } = await openTestApp({ env: { SMTP_URL: smtp.url, MAIL_PER_SECOND: '1000' } });

const PROCESS = join(import.meta.dirname, '../../../test/harness/post-worker.ts');
const startProcess = () =>
  spawn(process.execPath, [PROCESS], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: app.config.databaseUrl,
      DATABASE_DIRECT_URL: app.config.databaseDirectUrl,
      PUBLIC_URL: url,
      SMTP_URL: smtp.url,
      MAIL_PER_SECOND: '1000',
      X_CLIENT_ID: 'test-client',
      X_CLIENT_SECRET: 'test-secret',
      CACHE_DIR: app.config.cacheDir,
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

beforeEach(async () => {
  smtp.release();
  smtp.letters.length = 0;
  await app.db.raw(`delete from graphile_worker._private_jobs; delete from notification_deliveries;
    delete from mail_slots; delete from notifications`);
});

const notify = async (): Promise<{ userId: string; notification_id: string }> => {
  const { id: userId } = await insertUser(app);
  const address = `person-${userId}@mail.example`;
  await app.db('email_addresses').insert({ user_id: userId, address, uses_x: false, confirmed_at: app.db.fn.now() });
  const notification_id = await notifyAgain(userId);
  return { userId, notification_id };
};
const notifyAgain = async (userId: string): Promise<string> => {
  await inTransaction(app.db, (trx) =>
    insertWorded(trx, [{ userId, kind: 'ad_approved', title: 'Your ad is approved' }]),
  );
  return (await app.db('notifications').where({ user_id: userId }).max('id as id').first())!.id;
};
const find = (notification_id: string, channel: 'email' | 'push') =>
  app.db('notification_deliveries').where({ notification_id, channel }).first();
const status = async (id: string, channel: 'email' | 'push') => (await find(id, channel))?.status;

/** What happens once a killed worker has been silent for long: its jobs run again, and its attempts are over. */
async function runLater(): Promise<void> {
  await app.db.raw(`update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now();
    update notification_deliveries set updated_at = now() - interval '10 minutes', next_attempt_at = null`);
  await runDueJobs(app, jobHandlers);
}
const listMessageIds = () => smtp.letters.map(({ data }) => /^Message-ID: (.*)$/im.exec(data)?.[1]);

describe('a mail whose process is killed', () => {
  test('while it waits for a moment of the rate is sent later, once', async () => {
    const { notification_id } = await notify();
    const almostASecond = "clock_timestamp() + interval '990 milliseconds'";
    await app.db.raw(`insert into mail_slots (lane, next_at) values ('all', ${almostASecond})`);
    let { next_at } = await app.db('mail_slots').first();
    const child = startProcess();
    /** Moves the next moment away again, unless the process has reserved it and waits for it now. */
    const isReserved = async () => {
      const { rows } = await app.db.raw(
        `update mail_slots set next_at = ${almostASecond} where next_at = ? returning next_at`,
        [next_at],
      );
      next_at = rows[0]?.next_at;
      return rows.length === 0;
    };
    await expect.poll(isReserved).toBe(true);
    await kill(child);
    expect([smtp.letters.length, await status(notification_id, 'email')]).toEqual([0, 'waiting']);
    await app.db('mail_slots').delete();
    await runLater();
    expect([smtp.letters.length, await status(notification_id, 'email')]).toEqual([1, 'sent']);
  });

  test('after the mail server accepted it and before this is noted is sent again with the same Message-ID', async () => {
    const { notification_id } = await notify();
    smtp.hold();
    const child = startProcess();
    await expect.poll(() => smtp.letters.length).toBe(1);
    await kill(child);
    smtp.release();
    expect(await find(notification_id, 'email')).toMatchObject({ status: 'sending', attempts: 1 });
    await app.db.raw('update graphile_worker._private_jobs set locked_at = null, locked_by = null');
    await runDueJobs(app, jobHandlers);
    // the attempt of the killed process may still run: another one waits
    expect(smtp.letters).toHaveLength(1);
    await runLater();
    expect(await find(notification_id, 'email')).toMatchObject({ status: 'sent', attempts: 2 });
    const ids = listMessageIds();
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test('after this is noted is not sent again', async () => {
    const { notification_id } = await notify();
    const child = startProcess();
    await expect.poll(() => status(notification_id, 'email')).toBe('sent');
    await kill(child);
    await app.db.raw("select graphile_worker.add_job('deliver-mail', ?::json)", [
      JSON.stringify({ notificationId: notification_id }),
    ]);
    await runLater();
    expect(smtp.letters).toHaveLength(1);
  });

  test('at ten random moments: every mail arrives, and repeated ones have the same Message-ID', async () => {
    const { userId } = await notify();
    for (let n = 0; n < 19; n++) await notifyAgain(userId);
    for (let round = 0; round < 10; round++) {
      const before = smtp.letters.length;
      if (round % 2) smtp.hold();
      const child = startProcess();
      await Promise.race([expect.poll(() => smtp.letters.length).toBeGreaterThan(before), sleep(2000)]).catch(() => {});
      await sleep(Math.random() * 30);
      await kill(child);
      smtp.release();
      await app.db.raw(`update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()`);
    }
    await runLater();
    const rows = await app.db('notification_deliveries');
    expect([rows.length, new Set(rows.map((row) => row.status))]).toEqual([20, new Set(['sent'])]);
    const ids = new Set(listMessageIds());
    expect([...ids].map((id) => /notification-(\d+)-/.exec(id!)?.[1]).toSorted()).toEqual(
      rows.map((row) => row.notification_id).toSorted(),
    );
  });
});

describe('a push whose process is killed', () => {
  const subscribe = async (user_id: string, endpoint?: string) => {
    const browser = push.subscribe();
    const keys = {
      p256dh: Buffer.from(browser.keys.p256dh, 'base64url'),
      auth: Buffer.from(browser.keys.auth, 'base64url'),
    };
    await app.db('push_subscriptions').insert({ user_id, endpoint: endpoint ?? browser.endpoint, ...keys });
    return browser;
  };

  test('before the push service is called is sent later, once', async () => {
    const { userId, notification_id } = await notify();
    const browser = await subscribe(userId);
    const lock = await app.db.transaction();
    // the attempt has begun, and what browser it tries cannot be stored
    await lock.raw('set local idle_in_transaction_session_timeout = 0');
    await lock.raw('lock table push_attempts in exclusive mode');
    const child = startProcess();
    await expect.poll(() => status(notification_id, 'push')).toBe('sending');
    await kill(child);
    // a statement that waits outlives its client until the server notices
    const waiting = () =>
      app.db('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()');
    await expect.poll(waiting).toEqual([]);
    await lock.rollback();
    expect(browser.pushes).toHaveLength(0);
    await runLater();
    expect([browser.pushes.length, await status(notification_id, 'push')]).toEqual([1, 'sent']);
  });

  test('while the push service has it is never sent again', async () => {
    let received = 0;
    let isSilent = true;
    const silent = createServer((_, res) => {
      received++;
      if (!isSilent) res.writeHead(201).end();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { userId, notification_id } = await notify();
    await subscribe(userId, `http://127.0.0.1:${(silent.address() as AddressInfo).port}/browser`);
    const child = startProcess();
    await expect.poll(() => received).toBe(1);
    await kill(child);
    expect(await status(notification_id, 'push')).toBe('sending');
    isSilent = false;
    await runLater();
    await runLater();
    expect(received).toBe(1);
    expect(await find(notification_id, 'push')).toMatchObject({ status: 'failed', error: 'interrupted' });
    silent.closeAllConnections();
    silent.close();
  });

  test('after this is noted is not sent again', async () => {
    const { userId, notification_id } = await notify();
    const browser = await subscribe(userId);
    const child = startProcess();
    await expect.poll(() => status(notification_id, 'push')).toBe('sent');
    await kill(child);
    await app.db.raw("select graphile_worker.add_job('deliver-push', ?::json)", [
      JSON.stringify({ notificationId: notification_id }),
    ]);
    await runLater();
    expect(browser.pushes).toHaveLength(1);
  });
});
