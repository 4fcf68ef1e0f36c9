import { LIMITS } from '../../../contract/limits.ts';
import type { Db } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import { isCountedByCategory, type ListFilter, selectListedIds, selectSomeIds } from './ids-store.ts';
import { type AdDetails, SELECT_ADS } from './select-store.ts';

/** A page of public ads, newest first. Only the rows of the page are read wide. */
export const listAds = async (
  db: Db,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<Page<AdDetails>> => {
  const ids = selectListedIds(filter, parseCursor(cursor), limit + 1);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `with page as materialized (${ids.sql}) ${SELECT_ADS} where a.id in (select id from page) order by a.id desc`,
    ids.bindings,
  );
  return toPage(rows, limit, (row) => row.id);
};

export type { ListFilter } from './ids-store.ts';

export interface Total {
  count: number;
  isExact: boolean;
}

/** Counted in full from the counters without filters or by category alone, else up to LIMITS.countCap. */
export const countAds = async (db: Db, filter: ListFilter): Promise<Total> => {
  const { categoryId } = filter;
  if (!isCountedByCategory(filter)) return countCapped(db, filter);
  const { rows } = await db.raw<{ rows: { count: string }[] }>(
    `select coalesce(sum(value), 0) as count from counter_totals where key ${categoryId === undefined ? "like 'listed:%'" : '= ?'}`,
    categoryId === undefined ? [] : [`listed:${categoryId}`],
  );
  return { count: Number(rows[0]?.count ?? 0), isExact: true };
};

const countCapped = async (db: Db, filter: ListFilter): Promise<Total> => {
  const ids = selectSomeIds(filter, LIMITS.countCap + 1);
  const { rows } = await db.raw<{ rows: { count: string }[] }>(
    `select count(*) from (${ids.sql}) matches`,
    ids.bindings,
  );
  const count = Number(rows[0]?.count ?? 0);
  return { count: Math.min(count, LIMITS.countCap), isExact: count <= LIMITS.countCap };
};
