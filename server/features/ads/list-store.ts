import { LIMITS } from '../../../contract/limits.ts';
import type { Db } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import { type AdDetails, SELECT_ADS } from './select-store.ts';

/** What a list of public ads is narrowed by. `query` is the text of a tsquery (parseSearch). */
export interface ListFilter {
  categoryId?: number | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  query?: string | null | undefined;
}

interface Clause {
  sql: string;
  bindings: (string | number)[];
}

// btree_gin compares no types crosswise: without the cast the category would silently be no index condition
const CONDITIONS: [keyof ListFilter, string][] = [
  ['categoryId', 'category_id = ?::smallint'],
  ['minPrice', 'price >= ?::numeric'],
  ['maxPrice', 'price <= ?::numeric'],
  ['query', 'tsv @@ ?::tsquery'],
];

const toClause = (filter: ListFilter, cursor: string | null): Clause => {
  const used = CONDITIONS.filter(([key]) => filter[key] !== undefined && filter[key] !== null && filter[key] !== '');
  const sql = ['listed', ...used.map(([, condition]) => condition), ...(cursor ? ['id < ?::bigint'] : [])];
  const bindings = used.map(([key]) => filter[key] as string | number);
  return { sql: sql.join(' and '), bindings: cursor ? [...bindings, cursor] : bindings };
};

/**
 * Ids of matching ads, newest first. With words: bucket after bucket of 16,384 ids, so that neither a common word nor an
 * absent one reads more than it must; `id between` keeps any other plan inside its bucket. The limit belongs inside
 * the lateral too: without it the planner joins by hash and reads everything.
 */
const selectIds = (filter: ListFilter, cursor: string | null, limit: number): Clause => {
  const where = toClause(filter, cursor);
  if (!filter.query)
    return {
      sql: `select id from ads where ${where.sql} order by id desc limit ${limit}`,
      bindings: where.bindings,
    };
  const newest = cursor ? '?::bigint >> 14' : '(select coalesce(max(id), 0) >> 14 from ads)';
  const sql = `select found.id from generate_series(${newest}, 0, -1) bucket
    cross join lateral (
      select id from ads where ${where.sql} and (id >> 14) = bucket and id between bucket << 14 and (bucket << 14) + 16383
      order by id desc limit ${limit}
    ) found limit ${limit}`;
  return { sql, bindings: [...(cursor ? [cursor] : []), ...where.bindings] };
};

/** A page of public ads, newest first. Only the rows of the page are read wide. */
export const listAds = async (
  db: Db,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<Page<AdDetails>> => {
  const ids = selectIds(filter, parseCursor(cursor), limit + 1);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `with page as materialized (${ids.sql}) ${SELECT_ADS} where a.id in (select id from page) order by a.id desc`,
    ids.bindings,
  );
  return toPage(rows, limit, (row) => row.id);
};

export interface Total {
  count: number;
  isExact: boolean;
}

/** Counted in full from the counters without filters or by category alone, else up to LIMITS.countCap. */
export const countAds = async (db: Db, filter: ListFilter): Promise<Total> => {
  const { categoryId, ...narrower } = filter;
  if (Object.values(narrower).some((value) => value !== undefined && value !== null && value !== ''))
    return countCapped(db, filter);
  const { rows } = await db.raw<{ rows: { count: string }[] }>(
    `select coalesce(sum(value), 0) as count from counter_totals where key ${categoryId === undefined ? "like 'listed:%'" : '= ?'}`,
    categoryId === undefined ? [] : [`listed:${categoryId}`],
  );
  return { count: Number(rows[0]?.count ?? 0), isExact: true };
};

const countCapped = async (db: Db, filter: ListFilter): Promise<Total> => {
  const ids = selectIds(filter, null, LIMITS.countCap + 1);
  const { rows } = await db.raw<{ rows: { count: string }[] }>(
    `select count(*) from (${ids.sql}) matches`,
    ids.bindings,
  );
  const count = Number(rows[0]?.count ?? 0);
  return { count: Math.min(count, LIMITS.countCap), isExact: count <= LIMITS.countCap };
};
