import { beforeAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { deleteMe, resumeRemovals } from './removal.ts';

const { app } = await openTestApp();
let reader: string;

beforeAll(async () => {
  reader = (await insertUser(app)).id;
});

const countAbout = async (userId: string): Promise<number> =>
  Number((await app.db('notifications').where({ source_user_id: userId }).count())[0]!.count);

/** Deletes a seller about whom there are more notifications than one transaction deletes. */
const deleteFollowedSeller = async (): Promise<string> => {
  const { id } = await insertUser(app);
  await app.db.raw(
    `insert into notifications (user_id, kind, title, body, source_user_id)
     select ?, 'seller_new_ad', 'New ad ' || n, '', ? from generate_series(1, 1200) n`,
    [reader, id],
  );
  await deleteMe(app, { kind: 'user', id, role: 'user' });
  return id;
};

test('many notifications about a deleted user are deleted by a job', async () => {
  const id = await deleteFollowedSeller();
  expect(await countAbout(id)).toBe(700);
  await runDueJobs(app, jobHandlers);
  expect(await countAbout(id)).toBe(0);
});

test('the job is enqueued again after a restore', async () => {
  const id = await deleteFollowedSeller();
  await app.db.raw('delete from graphile_worker._private_jobs');
  await inTransaction(app.db, resumeRemovals);
  await runDueJobs(app, jobHandlers);
  expect(await countAbout(id)).toBe(0);
});
