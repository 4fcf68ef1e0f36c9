import { beforeEach, describe, expect, test } from 'vitest';
import { PERIODIC_JOBS } from '../../server/jobs/queue.ts';
import { openCliDatabase } from '../../test/harness/cli.ts';
import { insertCategories, insertPlaces, insertUser } from '../../test/harness/factories.ts';
import { PRODUCTION_ENV } from '../../test/harness/production-env.ts';
import { EXIT } from '../framework/errors.ts';

const { db, url, run } = await openCliDatabase();
const DAY = 86_400_000;

await insertCategories({ db });
// otherwise the job loads those of the whole world
await insertPlaces({ db });

const inDays = (days: number) => new Date(Date.now() + days * DAY);
const readAd = async (id: string) => db('ads').where({ id }).first('state', 'listed');

let ad: string;
beforeEach(async () => {
  const user_id = (await insertUser({ db })).id;
  const { id: category_id } = await db('categories').first('id');
  const values = { title: 'Lamp', description: 'Shines.', price: '5', state: 'active', expires_at: inDays(30) };
  [{ id: ad }] = await db('ads').insert({ user_id, category_id, ...values }, 'id');
});

describe('marketctl jobs run --now', () => {
  test('runs one job as if it were that time', async () => {
    for (const time of ['+29d', inDays(29).toISOString()])
      expect((await run(['jobs', 'run', 'expire-ads', '--now', time])).code).toBe(EXIT.ok);
    expect(await readAd(ad)).toEqual({ state: 'active', listed: true });
    const { code, json } = await run(['jobs', 'run', 'expire-ads', '--now', inDays(31).toISOString(), '-o', 'json']);
    expect([code, json()]).toEqual([EXIT.ok, expect.objectContaining({ name: 'expire-ads', status: 'done' })]);
    expect(await readAd(ad)).toEqual({ state: 'expired', listed: false });
  });

  test('without a name runs every periodic job once, and what is due by then', async () => {
    const addJob = (days: number) =>
      db.raw(`select graphile_worker.add_job('fan-out', '{"kind":"notice","subjectId":"1"}', run_at := ?)`, [
        inDays(days),
      ]);
    await addJob(7);
    await addJob(9);
    const planned = await run('jobs run --now +8d --dry-run -o json');
    expect(await readAd(ad)).toEqual({ state: 'active', listed: true });
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name).toSorted();
    const wanted = [...PERIODIC_JOBS, 'fan-out'].toSorted();
    expect(names(planned.json())).toEqual(wanted);
    const { code, json, stderr } = await run('jobs run --now +8d -o json');
    expect([code, stderr, names(json())]).toEqual([EXIT.ok, '', wanted]);
    expect((await run('jobs list --name fan-out -q')).lines).toHaveLength(1);
    await run('jobs run --now +31d');
    expect(await readAd(ad)).toEqual({ state: 'expired', listed: false });
    expect(await db('graphile_worker.jobs').pluck('task_identifier')).toEqual([]);
  });

  test('does not move the time of other sessions', async () => {
    await run('jobs run end-suspensions --now +180d');
    const user = await insertUser({ db });
    expect(Math.abs(Date.parse(user.created_at) - Date.now())).toBeLessThan(DAY);
  });

  test.each(['tomorrow', '49h', '7d', '+49', '+1.5h', '+', '2026-13-01', '2026-11-21Tnoon', ''])(
    'refuses the time "%s" and says how to write one',
    async (time) => {
      const { code, stderr } = await run(['jobs', 'run', 'expire-ads', '--now', time]);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('Use a time such as 2026-11-21T04:00Z')]);
    },
  );

  test('refuses a time more than ten years away, and one for a daemon', async () => {
    for (const time of ['+9999d', '0001-01-01', '9999-12-31']) {
      const { code, stderr } = await run(['jobs', 'run', '--now', time]);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('within ten years')]);
    }
    const daemon = await run('jobs run --daemon --now +1d');
    expect([daemon.code, daemon.stderr]).toEqual([EXIT.usage, expect.stringContaining('either --now or --daemon')]);
  });

  test('is refused in production, before anything is done', async () => {
    const env = { ...PRODUCTION_ENV, DATABASE_URL: url };
    for (const line of ['jobs run --now +31d', 'jobs run expire-ads --now +31d', 'jobs run --now +31d --dry-run']) {
      const { code, stdout, stderr } = await run(line, { env });
      expect([code, stdout]).toEqual([EXIT.usage, '']);
      expect(stderr).toContain('The clock cannot be moved in production.');
    }
    expect(await readAd(ad)).toEqual({ state: 'active', listed: true });
  });
});
