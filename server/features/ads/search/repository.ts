import { LIMITS } from '../../../../contract/limits.ts';
import { parseCursor, toPage } from '../../../db/pagination.ts';
import type { Db } from '../../../db/pools.ts';
import { isCutOff, queryOnce, queryPrepared } from '../../../db/prepared.ts';
import { AppError } from '../../../errors.ts';
import {
  COUNT_FEW,
  type IdSelect,
  isCountedByCategory,
  isPriced,
  type ListFilter,
  RARE_COUNTED,
  selectListedIds,
  selectSomeIds,
} from './query-builder.ts';

export type { ListFilter } from './query-builder.ts';

export interface Total {
  count: number;
  isExact: boolean;
}

/** How many match, beside the `ids` of a first page: by category alone from the counters, else counted up to the cap. */
const selectTotal = (filter: ListFilter, limit: number): { sql: string; bindings: IdSelect['bindings'] } => {
  if (isPriced(filter)) return { sql: 'select matches from counted', bindings: {} };
  if (!isCountedByCategory(filter)) {
    const { sql, bindings } = selectSomeIds(filter, LIMITS.countCap + 1);
    // what fits on the first page is counted already: words that never meet are looked for once, not twice
    const isPage = `when cardinality(ids) <= ${limit} then cardinality(ids)`;
    const fewMatch = filter.query ? COUNT_FEW : '';
    return {
      sql: `select case ${isPage} ${fewMatch} else (select count(*) from (${sql}) matches) end`,
      bindings: { ...bindings, rare: RARE_COUNTED },
    };
  }
  const { categoryId } = filter;
  const key = categoryId === undefined ? "like 'listed:%'" : '= :counter';
  const sql = `select coalesce(sum(value), 0) from counter_totals where key ${key}`;
  return { sql, bindings: categoryId === undefined ? {} : { counter: `listed:${categoryId}` } };
};

/** What was counted up to one more than the cap, as it is told. */
export const capTotal = (count: number): Total => ({
  count: Math.min(count, LIMITS.countCap),
  isExact: count <= LIMITS.countCap,
});

const toTotal = (filter: ListFilter, count: number): Total =>
  isCountedByCategory(filter) ? { count, isExact: true } : capTotal(count);

export interface PageRequest {
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

interface FoundRow {
  /** Joined by commas: pg takes longer over an array than over the rest of the row. */
  ids: string;
  total: string | null;
}

/** Words that never meet take 50 ms at a million ads; whatever takes this long serves nobody and holds up others. */
const SEARCH_MS = 2000;

const explainCutOff = (error: unknown): never => {
  if (!isCutOff(error)) throw error;
  throw new AppError('overloaded', { message: 'This search takes too long. Please try other words.', cause: error });
};

/** Which public ads are on a page, and how many there are: one statement, from indexes alone. Throws overloaded. */
export const findPage = async (
  db: Db,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: PageRequest = {},
): Promise<FoundPage> => {
  const from = parseCursor(cursor);
  const ids = selectListedIds(filter, from, limit + 1);
  const total = from === null ? selectTotal(filter, limit) : { sql: 'select null', bindings: {} };
  const sql = `with ${ids.ctes} page as materialized (select array(${ids.sql}) as ids)
    select array_to_string(ids, ',') as ids, (${total.sql}) as total from page`;
  const bindings = { ...ids.bindings, ...total.bindings };
  // a hundred limits would be as many statements for Postgres to keep
  const query = limit === LIMITS.pageSize ? queryPrepared<FoundRow> : queryOnce<FoundRow>;
  const cutOffMs = filter.query ? SEARCH_MS : undefined;
  const [found] = (await query(db, sql, bindings, { cutOffMs }).catch(explainCutOff)) as [FoundRow];
  const { rows: page, nextCursor } = toPage(found.ids === '' ? [] : found.ids.split(','), limit, (id) => id);
  return { ids: page, nextCursor, ...(found.total !== null && { total: toTotal(filter, Number(found.total)) }) };
};
