import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { startWebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { addWebhook, sendDue, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertWebhookEvents } from './events-repository.ts';

const { app, url, createPerson } = await openTestApp({ env: WEBHOOK_ENV });
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const PROCESS = join(import.meta.dirname, '../../../test/harness/post-worker.ts');
const startProcess = () =>
  spawn(process.execPath, [PROCESS], {
    env: {
      ...process.env,
      ...WEBHOOK_ENV,
      NODE_ENV: 'test',
      DATABASE_URL: app.config.databaseUrl,
      DATABASE_DIRECT_URL: app.config.databaseDirectUrl,
      PUBLIC_URL: url,
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

let userId: string;

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respond = accept;
  await app.db.raw('delete from graphile_worker._private_jobs; delete from webhooks');
  const person = await createPerson();
  userId = person.id;
  await addWebhook(person.client, receiver.url, ['message.received']);
});

const accept: typeof receiver.respond = (res) => void res.writeHead(204).end();
const happen = (n: number) =>
  inTransaction(app.db, (trx) =>
    insertWebhookEvents(
      trx,
      Array.from({ length: n }, (_, i) => ({
        type: 'message.received' as const,
        userId,
        data: { messageId: String(i + 1), adId: '8', personId: '9' },
      })),
    ),
  );
const readLog = () => app.db('webhook_deliveries').orderBy('id').select('id', 'status', 'attempts');

/** What happens once a killed process has been silent for long: its attempts count as interrupted. */
async function runLater(): Promise<void> {
  await app.db.raw('update webhook_deliveries set next_at = now() where next_at is not null');
  await sendDue(app);
}

describe('a webhook whose process is killed', () => {
  test('while the receiver has it is sent again with the same id', async () => {
    receiver.respond = () => {};
    await happen(1);
    const child = startProcess();
    await expect.poll(() => receiver.received.length).toBe(1);
    await kill(child);
    expect(await readLog()).toMatchObject([{ status: 'sending', attempts: 1 }]);
    receiver.respond = accept;
    await sendDue(app);
    // the attempt of the killed process may still run: another one waits
    expect(receiver.received).toHaveLength(1);
    await runLater();
    expect(await readLog()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('after this is noted is not sent again', async () => {
    await happen(1);
    const child = startProcess();
    await expect.poll(readLog).toMatchObject([{ status: 'delivered' }]);
    await kill(child);
    await runLater();
    expect(receiver.received).toHaveLength(1);
  });

  test('in its last attempt has failed', async () => {
    receiver.respond = () => {};
    await happen(1);
    await app.db('webhook_deliveries').update({ attempts: 9 });
    const child = startProcess();
    await expect.poll(() => receiver.received.length).toBe(1);
    await kill(child);
    await runLater();
    expect(await readLog()).toMatchObject([{ status: 'failed', attempts: 10 }]);
    expect(receiver.received).toHaveLength(1);
  });

  test('at ten random moments: every event arrives, and repeated ones have the same id', async () => {
    await happen(100);
    for (let round = 0; round < 10; round++) {
      const before = receiver.received.length;
      receiver.respond = round % 2 ? () => {} : accept;
      const child = startProcess();
      await Promise.race([expect.poll(() => receiver.received.length).toBeGreaterThan(before), sleep(2000)]).catch(
        () => {},
      );
      await sleep(Math.random() * 30);
      await kill(child);
      // a killed process is found dead later; its attempts are over then
      await app.db.raw(`update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now();
        update webhook_deliveries set next_at = now(), attempts = least(attempts, 5) where next_at is not null`);
    }
    receiver.respond = accept;
    await runLater();
    const log = await readLog();
    expect([log.length, new Set(log.map(({ status }) => status))]).toEqual([100, new Set(['delivered'])]);
    const arrived = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id']);
    expect(arrived.size).toBe(100);
    for (const [, requests] of arrived) expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });
});
