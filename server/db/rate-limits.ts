import type { Db } from './pools.ts';

export interface CountedWindow {
  /** How many were counted since the window began, this one included. */
  count: number;
  secondsLeft: number;
}

/** Counts one event under this key, in a window that begins with the first. All replicas count together. */
export const countInWindow = async (db: Db, key: string, windowSeconds: number): Promise<CountedWindow> => {
  const { rows } = await db.raw<{ rows: CountedWindow[] }>(
    `with clock as (select (extract(epoch from now()) * 1000)::bigint as ms)
     insert into rate_limits as r (key, points, expire) select :key, 1, ms + :windowSeconds * 1000 from clock
     on conflict (key) do update set
       points = case when r.expire > (select ms from clock) then r.points + 1 else 1 end,
       expire = case when r.expire > (select ms from clock) then r.expire else excluded.expire end
     returning points as count, ((expire - (select ms from clock)) / 1000)::int as "secondsLeft"`,
    { key, windowSeconds },
  );
  return rows[0]!;
};

/** Takes back one counted event under each key. */
export const refundWindows = async (db: Db, keys: readonly string[]): Promise<void> => {
  await db('rate_limits').whereIn('key', keys).where('points', '>', 0).decrement('points');
};
