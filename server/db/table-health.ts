import type { Db } from './pools.ts';

export interface TableHealth {
  table: string;
  rows: number;
  /** Rows that no transaction sees any more, and that no VACUUM has removed. */
  dead: number;
  /** More rows a day since the last day whose number is known; 0 without one. */
  growth: number;
}

/** What PostgreSQL's statistics say about each table. `rows` and `dead` are estimates. */
export const listTableHealth = async (db: Db): Promise<TableHealth[]> => {
  const { rows } = await db.raw<{ rows: TableHealth[] }>(
    `select t.relname as "table", t.n_live_tup::float8 as rows, t.n_dead_tup::float8 as dead,
       coalesce((t.n_live_tup - s.row_count) / greatest(1, now()::date - s.day), 0)::float8 as growth
     from pg_stat_user_tables t left join lateral (
       select row_count, day from table_sizes where table_name = t.relname and day < now()::date order by day desc limit 1
     ) s on true
     where t.schemaname = 'public' order by t.relname`,
  );
  return rows;
};

/** Remembers today's number of rows of each table. */
export const recordTableSizes = async ({ db }: { db: Db }): Promise<void> => {
  await db.raw(
    `insert into table_sizes (day, table_name, row_count)
     select now()::date, relname, n_live_tup from pg_stat_user_tables where schemaname = 'public'
     on conflict (day, table_name) do update set row_count = excluded.row_count`,
  );
};
