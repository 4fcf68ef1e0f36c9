import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { openSmtpServer, openStalledSmtpServer } from '../../test/harness/smtp-server.ts';
import { createAppContext } from '../app-context.ts';
import { jobHandlers } from '../job-handlers.ts';
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
