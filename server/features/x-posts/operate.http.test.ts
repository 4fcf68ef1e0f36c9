import { beforeEach, describe, expect, test } from 'vitest';
import { type CliSurroundings, runCli } from '../../../test/harness/cli.ts';
import { openPostingSite } from '../../../test/harness/posting.ts';
import { operator } from '../../policy.ts';
import { resumePostingToX } from './service.ts';

const site = await openPostingSite();
const { app, sandbox, control, createPerson, postAd, findPost, runJobs } = site;
const run = (line: string, around: CliSurroundings = {}) => runCli(line, { env: site.env, ...around });
const status = async () => (await run('posting status -o json')).json();
const audits = () => app.db('audit_log').where({ action: 'posting.resume' });
beforeEach(async () => {
  await site.reset();
  await audits().delete();
});

/** Ads are posted while X has no credits left. */
async function runOutOfCredits(count = 2): Promise<string[]> {
  const maya = await createPerson();
  await control('credits', { dollars: 0 });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await postAd(maya)).id);
  await runJobs();
  return ids;
}

describe('marketctl posting', () => {
  test('status: on while posts go, off and intent as X_POSTING says', async () => {
    const nothing = { since: null, reason: null, until: null, waiting: 0 };
    expect(await status()).toEqual({ posting: 'on', ...nothing });
    for (const posting of ['off', 'intent']) {
      const { json } = await run('posting status -o json', { env: { ...site.env, X_POSTING: posting } });
      expect(json()).toEqual({ posting, ...nothing });
    }
  });

  test('status tells of a stop: since when, why, until when, and how many wait', async () => {
    const [id] = await runOutOfCredits();
    const before = new Date().toISOString();
    const told = await status();
    expect(told).toMatchObject({ posting: 'stopped', reason: 'credits-depleted', waiting: 2 });
    expect(told.since <= before).toBe(true);
    expect(Date.parse(told.until)).toBe(Date.parse((await findPost(id!)).next_attempt_at ?? ''));
    expect((await run('posting status -q')).lines).toEqual(['stopped']);
  });

  test('resume sends what waits before the hour is over, and is in the audit log', async () => {
    const ids = await runOutOfCredits();
    await control('credits', { dollars: null });
    expect((await run('posting resume')).code).toBe(7);
    expect((await run('posting resume --dry-run -o json')).json()).toMatchObject({ posting: 'on', waiting: 2 });
    expect(await status()).toMatchObject({ posting: 'stopped' });
    const { code, json, stderr } = await run('posting resume --yes --reason bought -o json');
    expect([code, json()]).toEqual([0, { posting: 'on', since: null, reason: null, until: null, waiting: 2 }]);
    expect(stderr).toContain('Posts that are sent now: 2.');
    for (const id of ids) expect(await findPost(id)).toMatchObject({ next_attempt_at: null, error: null });
    const jobs = await app.db('graphile_worker.jobs').where({ task_identifier: 'post-to-x' });
    expect(jobs.map((job) => Date.parse(job.run_at) <= Date.now())).toEqual([true, true]);
    await runJobs();
    expect(sandbox.state.posts).toHaveLength(2);
    expect(await audits()).toMatchObject([{ details: { posts: 2, reason: 'bought' } }]);
    expect(await status()).toMatchObject({ posting: 'on', waiting: 0 });
  });

  test('resume takes as many statements for six posts as for two', async () => {
    const statements: string[] = [];
    const record = ({ sql }: { sql: string }) => statements.push(sql);
    const countStatements = async (posts: number) => {
      const ids = await runOutOfCredits(posts);
      statements.length = 0;
      app.db.on('query', record);
      expect(await resumePostingToX(app, operator('tests'))).toBe(posts);
      app.db.off('query', record);
      const keys = await app.db('graphile_worker.jobs').where({ task_identifier: 'post-to-x' }).pluck('key');
      const rows = await Promise.all(ids.map(findPost));
      expect(keys.sort()).toEqual(rows.map((row) => `x-post-${row.id}`).sort());
      expect(rows.map((row) => [row.status, row.next_attempt_at])).toEqual(ids.map(() => ['pending', null]));
      return statements.length;
    };
    const few = await countStatements(2);
    await site.reset();
    expect(few).toBeGreaterThan(4);
    expect(await countStatements(6)).toBe(few);
  });

  test('resume without new credits stops again, and nothing is lost', async () => {
    await runOutOfCredits();
    await run('posting resume --yes');
    await runJobs();
    expect(await status()).toMatchObject({ posting: 'stopped', waiting: 2 });
    expect(sandbox.state.posts).toEqual([]);
  });

  test.each(['', ' --yes', ' --dry-run'])(
    'resume%s where nothing is stopped says so, asks nothing and leaves no trace',
    async (how) => {
      const { code, stderr } = await run(`posting resume${how}`);
      expect([code, stderr]).toEqual([0, expect.stringContaining('It was not stopped.')]);
      expect(await audits()).toEqual([]);
    },
  );
});
