import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { insertCategories, insertUser } from '../../test/harness/factories.ts';
import { enqueue, type JobHandlers } from '../jobs/queue.ts';
import { runDueJobs } from '../jobs/worker.ts';
import { prepareMovedClock } from './moved-clock.ts';
import type { Db } from './pools.ts';
import { inTransaction } from './transaction.ts';

const HOUR = 3_600_000;

const site = await openTestApp();
const later = await site.openLater('49h');

/** How many whole hours this moment is ahead of the real time. */
const hoursAhead = (moment: Date): number => Math.round(Math.abs(moment.valueOf() - Date.now()) / HOUR);

const readHours = async (db: Db, sql: string): Promise<number> => {
  const { rows } = await db.raw<{ rows: { at: string }[] }>(`select ${sql} as at`);
  return hoursAhead(new Date(rows[0]!.at));
};

describe('a clock that is 49 hours ahead', () => {
  test.each(['db', 'jobsDb'] as const)(
    'moves now() and clock_timestamp() of %s, and of no other server',
    async (pool) => {
      for (const sql of ['now()', 'clock_timestamp()'])
        expect([await readHours(later.app[pool], sql), await readHours(site.app[pool], sql)]).toEqual([49, 0]);
      await inTransaction(later.app[pool], async (trx) => {
        expect(await readHours(trx, 'now()')).toBe(49);
        const user = await insertUser({ db: trx });
        const [touched] = await trx('users').where({ id: user.id }).update({ last_seen_at: trx.fn.now() }, '*');
        expect(hoursAhead(new Date(touched.last_seen_at))).toBe(49);
      });
    },
  );

  test('moves the clock of services', () => {
    expect([later, site].map(({ app }) => hoursAhead(app.clock.now()))).toEqual([49, 0]);
  });

  test('moves defaults of columns, and only for its own server', async () => {
    const [theirs, ours] = [await insertUser(later.app), await insertUser(site.app)];
    expect([theirs, ours].map(({ created_at }) => hoursAhead(new Date(created_at)))).toEqual([49, 0]);
  });

  test('leaves no default of a column on the real time', async () => {
    await later.app.db.raw('select 1');
    const { rows } = await site.app.db.raw(
      "select adrelid::regclass::text as table, pg_get_expr(adbin, adrelid) as value from pg_attrdef where pg_get_expr(adbin, adrelid) ~* '(now|timestamp|time|date)'",
    );
    expect(rows.length).toBeGreaterThan(30);
    for (const { table, value } of rows)
      expect([table, value]).toEqual([table, expect.stringMatching(/^moved_clock\.(now|clock_timestamp)\(\)$/)]);
  });

  test('has triggers judge by it, too', async () => {
    const seller = await insertUser(site.app);
    await insertCategories(site.app);
    const { id: category_id } = await site.app.db('categories').first('id');
    const ad = { user_id: seller.id, category_id, title: 'Lamp', description: 'Shines.', price: '5', state: 'active' };
    const expires_at = new Date(Date.now() + 48 * HOUR);
    const insert = async (db: Db) =>
      (
        await db('ads')
          .insert({ ...ad, expires_at })
          .returning('listed')
      )[0].listed;
    expect([await insert(later.app.db), await insert(site.app.db)]).toEqual([false, true]);
  });

  test('creates tables where they are without it', async () => {
    await later.app.db.raw('create table made_later ()');
    const { rows } = await later.app.db.raw("select to_regclass('public.made_later') is not null as found");
    expect(rows).toEqual([{ found: true }]);
    await later.app.db.raw('drop table made_later');
  });

  test('runs jobs that are due within it, and not before', async () => {
    const done: string[] = [];
    const handlers = { 'fold-counters': async () => void done.push('done') } as Partial<JobHandlers> as JobHandlers;
    const runAt = new Date(Date.now() + 48 * HOUR);
    await inTransaction(site.app.db, (trx) => enqueue(trx, 'fold-counters', {}, { runAt }));
    expect(await runDueJobs(site.app, handlers)).toEqual([]);
    await runDueJobs(later.app, handlers);
    expect(done).toEqual(['done']);
    await inTransaction(later.app.db, (trx) => enqueue(trx, 'fold-counters', {}));
    expect(await runDueJobs(site.app, handlers)).toEqual([]);
    expect(await runDueJobs(later.app, handlers)).toHaveLength(1);
  });
});

test('a connection that drops the settings, as poolers do, fails instead of showing the real time', async () => {
  const client = new pg.Client(site.app.config.databaseDirectUrl);
  await client.connect();
  await expect(prepareMovedClock(client)).rejects.toThrow('CLOCK_OFFSET has no effect');
  await client.end();
});
