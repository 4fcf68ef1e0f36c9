import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { openSmtpServer, openStalledSmtpServer } from '../../test/harness/smtp-server.ts';
import { createAppContext } from '../app-context.ts';
import { jobHandlers } from '../job-handlers.ts';
import { reapDeadWorker } from './queue.ts';
import { createHeartbeatMonitor, startWorker } from './worker.ts';

const PROCESS = join(import.meta.dirname, '../../test/harness/post-worker.ts');
const HOUR = 3_600_000;
/** Between two checks: a worker that a busy machine delays for four of them would count as dead. */
const SECOND = 1000;
const stalled = await openStalledSmtpServer();
const smtp = await openSmtpServer();
const { app, url } = await openTestApp({ env: { SMTP_URL: smtp.url } });
// the same marketplace in a process whose mail goes nowhere
const stuck = createAppContext({ ...app.config, smtpUrl: stalled.url }, { log: app.log });
afterAll(() => stuck.close());

// the workers' timetable brings others at any minute
const jobs = (name = 'mail-contact') => app.db('graphile_worker.jobs').where({ task_identifier: name });
const workers = () => app.db('queue_workers').orderBy('id');
const mailed = () => app.db('contact_messages').whereNotNull('mailed_at');

async function enqueueMail(): Promise<void> {
  const letter = { name: 'Ann', email: 'ann@mail.example', subject: 'Hi', message: 'Hello' };
  const [{ id }] = await app.db('contact_messages').insert(letter).returning('id');
  const payload = JSON.stringify({ contactMessageId: id });
  await app.db.raw("select graphile_worker.add_job('mail-contact', ?::json)", [payload]);
}

afterEach(async () => {
  await app.db('contact_messages').delete();
  await app.db('queue_workers').delete();
  await app.db.raw('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
});

test('another process runs the job of a killed process', async () => {
  await enqueueMail();
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DATABASE_URL: app.config.databaseUrl,
    DATABASE_DIRECT_URL: app.config.databaseDirectUrl,
    PUBLIC_URL: url,
    SMTP_URL: stalled.url,
    X_CLIENT_ID: 'test-client',
    X_CLIENT_SECRET: 'test-secret',
    CACHE_DIR: app.config.cacheDir,
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [PROCESS], { env, stdio: 'ignore' });
  await expect.poll(stalled.waiting).toBe(1);
  const [{ locked_by: holder }] = await jobs();
  await expect.poll(async () => (await workers()).map(({ id }) => id)).toContain(holder);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await jobs()).toMatchObject([{ locked_by: holder }]);
  const heir = startWorker(app, jobHandlers, 50);
  await expect.poll(mailed).toHaveLength(1);
  await heir.stop(HOUR);
  expect(await workers()).toEqual([]);
});

test('another process runs the job of a process that was killed before its first heartbeat', async () => {
  await enqueueMail();
  await app.db.raw(
    "update graphile_worker._private_jobs set locked_by = 'unheard', locked_at = now(), attempts = 1 where locked_by is null",
  );
  const heir = startWorker(app, jobHandlers, 50);
  await expect.poll(mailed).toHaveLength(1);
  await heir.stop(HOUR);
  expect(await workers()).toEqual([]);
});

test('a living worker keeps its job, however often other workers check', async () => {
  await enqueueMail();
  await expect.poll(stalled.waiting).toBe(0);
  const slow = startWorker(stuck, jobHandlers, SECOND);
  await expect.poll(stalled.waiting).toBe(1);
  const [{ locked_by: own }] = await jobs();
  await expect.poll(async () => (await workers()).map(({ id }) => id)).toContain(own);
  const before = (await workers()).map(({ id }) => id);
  const other = startWorker(app, jobHandlers, SECOND);
  const beatsOfOther = async () =>
    Math.max(...(await workers()).filter(({ id }) => !before.includes(id)).map(({ beats }) => Number(beats)), 0);
  await expect.poll(beatsOfOther).toBeGreaterThan(6);
  expect(await jobs()).toMatchObject([{ locked_by: own }]);
  expect(await mailed()).toEqual([]);
  const stopped = [other.stop(HOUR), slow.stop(HOUR)];
  stalled.cut();
  await Promise.all(stopped);
});

test('a worker is dead after several checks with an unchanged heartbeat, not if the heartbeat changes in between', () => {
  const callRoll = createHeartbeatMonitor(3);
  const names = (beats: string[]) =>
    callRoll(beats.map((beat, i) => ({ id: `w${i}`, beats: beat }))).map(({ id }) => id);
  expect(names(['5', '5'])).toEqual([]);
  expect(names(['5', '5'])).toEqual([]);
  expect(names(['5', '5'])).toEqual([]);
  expect(names(['5', '6'])).toEqual(['w0']);
  expect(names(['6', '6'])).toEqual([]);
});

/** A job of this name that a worker holds. */
async function holdJob(name: string, worker: string, beats: number): Promise<void> {
  await app.db('queue_workers').insert({ id: worker, beats });
  await app.db.raw("select graphile_worker.add_job(?, '{}'::json)", [name]);
  await app.db.raw(
    'update graphile_worker._private_jobs set locked_by = ?, locked_at = now(), attempts = 3 where locked_by is null',
    [worker],
  );
}

test('a worker whose heartbeat changes after the check keeps its jobs; two processes reap a dead worker once', async () => {
  await holdJob('mail-contact', 'silent', 7);
  expect(await reapDeadWorker(app.db, { id: 'silent', beats: '6' })).toBeUndefined();
  expect(await jobs()).toMatchObject([{ locked_by: 'silent' }]);
  const freed = await Promise.all([1, 2].map(() => reapDeadWorker(app.db, { id: 'silent', beats: '7' })));
  expect(freed.toSorted()).toEqual([1, undefined]);
  expect(await workers()).toEqual([]);
});

test('the interrupted attempt counts, and the next one waits as after a failure; the crontab enqueues its own jobs again', async () => {
  await holdJob('mail-contact', 'killed', 0);
  await holdJob('fold-counters', 'other', 0);
  await reapDeadWorker(app.db, { id: 'killed', beats: '0' });
  await reapDeadWorker(app.db, { id: 'other', beats: '0' });
  expect(await jobs('fold-counters')).toEqual([]);
  expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 3 }]);
  const { rows } = await app.db.raw(
    "select run_at > updated_at + interval '10 seconds' as waits from graphile_worker.jobs where task_identifier = 'mail-contact'",
  );
  expect(rows).toEqual([{ waits: true }]);
});
