import type { Db } from '../../db/connect.ts';

/** Listed and unsold ads, people who can sign in, and enabled categories: three sums, however large the marketplace. */
export const readSiteStats = async (db: Db): Promise<{ activeAds: number; users: number; categories: number }> => {
  const { rows } = await db.raw<{ rows: Record<'active_ads' | 'users' | 'categories', string>[] }>(
    `select coalesce(sum(value) filter (where key like 'unsold:%'), 0) as active_ads,
       coalesce(sum(value) filter (where key = 'users'), 0) as users,
       (select count(*) from categories where not is_disabled) as categories
     from counter_totals`,
  );
  const row = rows[0]!;
  return { activeAds: Number(row.active_ads), users: Number(row.users), categories: Number(row.categories) };
};

/** Listed ads of every category in its order, zeros too. */
export const countByCategory = async (db: Db): Promise<{ name: string; count: number }[]> => {
  const { rows } = await db.raw<{ rows: { name: string; count: string }[] }>(
    `select c.name, coalesce(t.value, 0) as count from categories c
     left join counter_totals t on t.key = 'listed:' || c.id
     where not c.is_disabled or t.value > 0 order by c.position`,
  );
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
};
