import { expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { forEachDue } from './bulk.ts';
import { isSetAside, listSetAside } from './set-aside.ts';

const { app } = await openTestApp();

test('150 rows that always fail do not stop the hundred behind them, and are tried again later', async () => {
  const done: string[] = [];
  let tries = 0;
  const run = () =>
    forEachDue(app.db, {
      pipeline: 'reveal-ratings',
      list: async (limit) => {
        const { rows } = await app.db.raw(
          `select n::text as id from generate_series(1, 250) n
           where n::text <> all (:done) and not ${isSetAside('reveal-ratings', 'n')} order by n limit :limit`,
          { done, limit },
        );
        return rows.map(({ id }: { id: string }) => id);
      },
      idOf: (id: string) => id,
      work: async (trx, id) => {
        tries++;
        if (Number(id) <= 150) await trx.raw('select 1 / 0');
        done.push(id);
        return true;
      },
      logFailure: () => {},
    });
  expect(await run()).toBe(100);
  expect(done).toHaveLength(100);
  expect(await listSetAside(app.db, 1000)).toHaveLength(150);
  expect(await run()).toBe(0);
  expect(tries).toBe(250);
  await app.db('set_aside').update({ retry_at: app.db.raw('now()') });
  await run();
  const [row] = await listSetAside(app.db, 1);
  expect(row).toMatchObject({ failures: 2, error: expect.stringContaining('division by zero') });
});
