import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { openPostingSite } from '../../../test/harness/posting.ts';

const site = await openPostingSite();
const { app, sandbox, control, createPerson, postAd, findPost, runJobs } = site;
beforeEach(site.reset);

const PROCESS = join(import.meta.dirname, '../../../test/harness/post-worker.ts');
const startProcess = () =>
  spawn(process.execPath, [PROCESS], { env: { ...process.env, ...site.env }, stdio: 'ignore' });
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};
const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await sleep(5);
};

/** What the sweep does once a dead process' post has been silent for long enough. */
async function sweepLater() {
  await app.db.raw("update x_posts set updated_at = now() - interval '10 minutes', next_attempt_at = null");
  await app.db.raw("select graphile_worker.add_job('sweep-x-posts', payload := '{}'::json)");
  await runJobs();
}

/** The queue gives a killed worker's job out again, as it does after a minute. */
const releaseJobs = () => app.db.raw('update graphile_worker._private_jobs set locked_at = null, locked_by = null');

const countPosts = () => sandbox.state.posts.length;

test('killed before X is called (while refreshing): the post is sent later, once', async () => {
  const { id } = await postAd(await createPerson());
  await app.db('x_accounts').update({ access_expires_at: new Date() });
  await control('faults', { kind: 'slow', path: '/2/oauth2/token', delayMs: 60_000 });
  const child = startProcess();
  await until(() => sandbox.state.faults.every((f) => f.times === 0));
  await kill(child);
  expect([countPosts(), (await findPost(id)).status]).toEqual([0, 'pending']);
  await sweepLater();
  await releaseJobs();
  await runJobs();
  expect([countPosts(), (await findPost(id)).status]).toEqual([1, 'posted']);
});

test('killed while X has the request but has not worked yet: unknown, never sent again by itself', async () => {
  const { id } = await postAd(await createPerson());
  await control('faults', { kind: 'slow', path: '/2/tweets', delayMs: 60_000 });
  const child = startProcess();
  await until(() => sandbox.state.faults.every((f) => f.times === 0));
  await kill(child);
  expect((await findPost(id)).status).toBe('sending');
  await releaseJobs();
  await runJobs();
  await sweepLater();
  await runJobs();
  expect([countPosts(), (await findPost(id)).status]).toEqual([0, 'unknown']);
});

test('killed after X worked, before the answer: one post, recorded as unknown; a retry by hand makes it posted', async () => {
  const maya = await createPerson();
  const { id } = await postAd(maya);
  await control('faults', { kind: 'slow-after', path: '/2/tweets', delayMs: 60_000 });
  const child = startProcess();
  await until(() => countPosts() === 1);
  await kill(child);
  await releaseJobs();
  await sweepLater();
  expect([countPosts(), (await findPost(id)).status]).toEqual([1, 'unknown']);
  await maya.send(`/api/ads/${id}/x-posts/retry`, { method: 'POST' });
  await runJobs();
  expect([countPosts(), (await findPost(id)).status]).toEqual([1, 'posted']);
});

test('killed after the answer was recorded: the job given out again does nothing', async () => {
  const { id } = await postAd(await createPerson());
  const child = startProcess();
  await until(async () => (await findPost(id)).status === 'posted');
  await kill(child);
  await app.db.raw("select graphile_worker.add_job('post-to-x', payload := json_build_object('postId', ?::text))", [
    (await findPost(id)).id,
  ]);
  await releaseJobs();
  await runJobs();
  await sweepLater();
  expect([countPosts(), (await findPost(id)).status]).toEqual([1, 'posted']);
});

test('killed at ten random moments with ten ads in the queue: never two of one, and what is missing is unknown', async () => {
  const maya = await createPerson();
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push((await postAd(maya)).id);
  for (let round = 0; round < 10; round++) {
    await control('faults', { kind: round % 2 ? 'slow-after' : 'slow', path: '/2/tweets', delayMs: 20 });
    const child = startProcess();
    const from = sandbox.log.length;
    await Promise.race([until(() => sandbox.log.length > from), sleep(2000)]);
    await sleep(Math.random() * 30);
    await kill(child);
    await releaseJobs();
  }
  await sandbox.state.faults.splice(0);
  await sweepLater();
  await runJobs();
  const texts = sandbox.state.posts.map((p) => p.text);
  expect(new Set(texts).size).toBe(texts.length);
  for (const id of ids) {
    const post = await findPost(id);
    expect(['posted', 'unknown']).toContain(post.status);
    if (post.status === 'posted') expect(texts).toContain(post.body);
  }
});

test('twenty jobs for one post at once: one post', async () => {
  const { id } = await postAd(await createPerson());
  const post = await findPost(id);
  for (let n = 0; n < 20; n++)
    await app.db.raw("select graphile_worker.add_job('post-to-x', payload := json_build_object('postId', ?::text))", [
      post.id,
    ]);
  await control('faults', { kind: 'slow-after', path: '/2/tweets', delayMs: 200 });
  const children = [startProcess(), startProcess(), startProcess()];
  await until(async () => Number((await app.db('graphile_worker._private_jobs').count())[0]?.count) === 0);
  await Promise.all(children.map(kill));
  expect([countPosts(), (await findPost(id)).status]).toEqual([1, 'posted']);
  expect(sandbox.log.filter((r) => r.path === '/2/tweets')).toHaveLength(1);
});
