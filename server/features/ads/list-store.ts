import { LIMITS } from '../../../contract/limits.ts';
import type { Db } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import { type IdSelect, isCountedByCategory, type ListFilter, selectListedIds, selectSomeIds } from './ids-store.ts';
import type { AdDetails } from './select-store.ts';
import { listAdsByIds } from './store.ts';

export type { ListFilter } from './ids-store.ts';

export interface Total {
  count: number;
  isExact: boolean;
}

/** How many match: by category alone from the counters, else counted up to the cap. */
const selectTotal = (filter: ListFilter): IdSelect => {
  if (!isCountedByCategory(filter)) {
    const { sql, bindings } = selectSomeIds(filter, LIMITS.countCap + 1);
    return { sql: `select count(*) from (${sql}) matches`, bindings };
  }
  const { categoryId } = filter;
  const key = categoryId === undefined ? "like 'listed:%'" : '= :counter';
  const sql = `select coalesce(sum(value), 0) from counter_totals where key ${key}`;
  return { sql, bindings: categoryId === undefined ? {} : { counter: `listed:${categoryId}` } };
};

const toTotal = (filter: ListFilter, count: number): Total =>
  isCountedByCategory(filter)
    ? { count, isExact: true }
    : { count: Math.min(count, LIMITS.countCap), isExact: count <= LIMITS.countCap };

export interface PageAsked {
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface FoundPage {
  /** Newest first. */
  ids: string[];
  nextCursor: string | null;
  /** On first pages: exact without filters or by category alone, else up to LIMITS.countCap. */
  total?: Total;
}

/** Which public ads are on a page, and how many there are: one statement, from indexes alone. */
export const findPage = async (
  db: Db,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: PageAsked = {},
): Promise<FoundPage> => {
  const from = parseCursor(cursor);
  const ids = selectListedIds(filter, from, limit + 1);
  const total = from === null ? selectTotal(filter) : { sql: 'null', bindings: {} };
  // what fits on the first page is counted already: words that never meet are looked for once, not twice
  const rest = isCountedByCategory(filter) || from !== null ? 'true' : `cardinality(ids) > ${limit}`;
  const { rows } = await db.raw<{ rows: { ids: string[]; total: string | null }[] }>(
    `with page as materialized (select array(${ids.sql}) as ids)
     select ids, case when ${rest} then (${total.sql}) else cardinality(ids) end as total from page`,
    { ...ids.bindings, ...total.bindings },
  );
  const found = rows[0]!;
  const { rows: page, nextCursor } = toPage(found.ids, limit, (id) => id);
  return { ids: page, nextCursor, ...(found.total !== null && { total: toTotal(filter, Number(found.total)) }) };
};

/** A page of public ads as rows. */
export const listAds = async (db: Db, filter: ListFilter, asked: PageAsked = {}): Promise<Page<AdDetails>> => {
  const { ids, nextCursor } = await findPage(db, filter, asked);
  const rows = await listAdsByIds(db, ids);
  return { rows: rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), nextCursor };
};
