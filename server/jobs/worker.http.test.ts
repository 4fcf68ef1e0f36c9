import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { openSmtpServer, openStalledSmtpServer } from '../../test/harness/smtp-server.ts';
import { createAppContext } from '../app-context.ts';
import { jobHandlers } from '../job-handlers.ts';
import { countJobs, LANES, listQueuedJobs, readJobTotals } from './queue.ts';
import { startWorker } from './worker.ts';

const HOUR = 3_600_000;
/** Long enough for a worker that is fetching a job at the moment of the stop. */
const MOMENT = 2000;
const stalled = await openStalledSmtpServer();
const smtp = await openSmtpServer();
const { app } = await openTestApp({ env: { SMTP_URL: smtp.url } });
// the same marketplace in a process whose mail goes nowhere
const stuck = createAppContext({ ...app.config, smtpUrl: stalled.url }, { log: app.log });
afterAll(() => stuck.close());

const jobs = () => app.db('graphile_worker.jobs').where({ task_identifier: 'mail-contact' });
const mailed = () => app.db('contact_messages').whereNotNull('mailed_at');

beforeEach(async () => {
  const [{ id }] = await app
    .db('contact_messages')
    .insert({ name: 'Ann', email: 'ann@mail.example', subject: 'Hi', message: 'Hello' })
    .returning('id');
  await app.db.raw("select graphile_worker.add_job('mail-contact', ?::json)", [
    JSON.stringify({ contactMessageId: id }),
  ]);
});

test('a job that does not end in time goes back into the queue, and another process runs it immediately', async () => {
  const first = startWorker(stuck, jobHandlers);
  await expect.poll(stalled.waiting).toBe(1);
  expect(await jobs()).toMatchObject([{ locked_by: expect.any(String), attempts: 1 }]);
  expect(await first.stop(MOMENT)).toBe(1);
  expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 0 }]);
  const second = startWorker(app, jobHandlers);
  await expect.poll(mailed).toHaveLength(1);
  expect(await second.stop(HOUR)).toBe(0);
  stalled.cut();
  await expect.poll(stalled.waiting).toBe(0);
});

test('a job that ends in time is waited for, and its failure counts', async () => {
  const worker = startWorker(stuck, jobHandlers);
  await expect.poll(stalled.waiting).toBe(1);
  const stopped = worker.stop(HOUR);
  stalled.cut();
  expect(await stopped).toBe(0);
  expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 1, last_error: expect.any(String) }]);
});

test.each(Object.entries(LANES))('servers that never answer the lane %s hold no general job', async (_lane, names) => {
  let isWaiting = false;
  const ended = Promise.withResolvers<void>();
  const wait = () => {
    isWaiting = true;
    return ended.promise;
  };
  const handlers = { ...jobHandlers, ...Object.fromEntries(names.map((name) => [name, wait])) };
  for (const name of names)
    await app.db.raw("select graphile_worker.add_job(?, '{}'::json) from generate_series(1, 8)", [name]);
  const worker = startWorker(app, handlers);
  await expect.poll(() => isWaiting).toBe(true);
  const { id } = await insertUser(app, { suspended_until: '2020-01-01T00:00:00Z' });
  await app.db.raw(`select graphile_worker.add_job('end-suspensions', '{}'::json)`);
  await expect.poll(async () => (await app.db('users').where({ id }).first()).suspended_until).toBeNull();
  ended.resolve();
  await worker.stop(HOUR);
  await app.db.raw('delete from graphile_worker._private_jobs');
});

test('what waits for X is in its lane', () => {
  expect(LANES.x).toEqual(['post-to-x', 'revoke-x-tokens', 'copy-avatar']);
});

describe('a job with a key that fails', () => {
  const enqueueKeyed = (more = '') =>
    app.db.raw(
      `select graphile_worker.add_job('mail-contact', json_build_object('contactMessageId', max(id)::text),
         job_key := 'mail', max_attempts := 1 ${more}) from contact_messages`,
    );
  /** Runs the job of the key until it fails; `meanwhile` happens while it runs. */
  const runUntilFailed = async (meanwhile: () => Promise<unknown>) => {
    await app.db.raw('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
    await enqueueKeyed();
    const worker = startWorker(stuck, jobHandlers);
    await expect.poll(stalled.waiting).toBe(1);
    await meanwhile();
    const stopped = worker.stop(HOUR);
    stalled.cut();
    expect(await stopped).toBe(0);
  };

  test('is no failed job if it was enqueued again while it ran: only its successor is left', async () => {
    await runUntilFailed(() => enqueueKeyed(", run_at := now() + interval '1 day'"));
    expect(await jobs()).toMatchObject([{ key: 'mail', attempts: 0, last_error: null }]);
    expect((await countJobs(app.db)).failed).toBe(0);
    expect((await readJobTotals(app.db)).jobsFailed).toBe(0);
    expect(await listQueuedJobs(app.db, { state: 'failed', limit: 10 })).toEqual([]);
  });

  test('is a failed job without a successor, and with one that came after it failed', async () => {
    await runUntilFailed(async () => {});
    expect((await countJobs(app.db)).failed).toBe(1);
    await enqueueKeyed(", run_at := now() + interval '1 day'");
    expect(await listQueuedJobs(app.db, { state: 'failed', limit: 10 })).toMatchObject([
      { name: 'mail-contact', last_error: expect.any(String) },
    ]);
  });
});
