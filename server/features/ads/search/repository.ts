import type { Sort } from '../../../../contract/filters.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { toPage } from '../../../db/pagination.ts';
import type { Db } from '../../../db/pools.ts';
import { isCutOff, queryOnce, queryPrepared } from '../../../db/prepared.ts';
import { AppError } from '../../../errors.ts';
import { parseBestCursor } from './best-order.ts';
import { formatListCursor, type ListOrder, parseListCursor } from './orders.ts';
import { buildBestStatement, buildPageStatement, isCountedByCategory, type ListStatement } from './page-statement.ts';
import type { ListFilter } from './query-builder.ts';

export type { ListFilter } from './query-builder.ts';

export interface Total {
  count: number;
  isExact: boolean;
}

const toTotal = (filter: ListFilter, sort: Sort, count: number): Total => {
  if (isCountedByCategory(filter, sort)) return { count, isExact: true };
  return { count: Math.min(count, LIMITS.countCap), isExact: count <= LIMITS.countCap };
};

export interface PageRequest {
  sort?: Sort | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface FoundPage {
  ids: string[];
  /** Of each ad, if the filter has a place; null for an ad without one. */
  chords?: (number | null)[];
  nextCursor: string | null;
  /** On first pages: exact without filters or by category alone, else up to LIMITS.countCap. */
  total?: Total;
}

interface FoundRow {
  ids?: string;
  /** Instead of ids: cursors. */
  keys?: string;
  key?: string | null;
  chords?: string | null;
  total: string | null;
}

const SEARCH_MS = 2000;

const explainCutOff = (error: unknown): never => {
  if (!isCutOff(error)) throw error;
  throw new AppError('overloaded', {
    key: 'errors.searchTooLong',
    cause: error,
  });
};

const splitList = (text: string | null | undefined): string[] => (text ? text.split(',') : []);

const run = async (db: Db, { sql, bindings, isUsual }: ListStatement, limit: number): Promise<FoundRow> => {
  // each limit is a separate statement, so only the usual one is prepared
  const query = limit === LIMITS.pageSize && isUsual ? queryPrepared<FoundRow> : queryOnce<FoundRow>;
  const [found] = (await query(db, sql, bindings, { cutOffMs: SEARCH_MS }).catch(explainCutOff)) as [FoundRow];
  return found;
};

const toFoundPage = (
  page: Pick<FoundPage, 'ids' | 'nextCursor'>,
  found: FoundRow,
  { filter, sort, limit }: { filter: ListFilter; sort: Sort; limit: number },
): FoundPage => {
  const chords = splitList(found.chords).map((chord) => (chord === '' ? null : Number(chord)));
  return {
    ...page,
    ...(filter.near && { chords: chords.slice(0, limit) }),
    ...(found.total !== null && { total: toTotal(filter, sort, Number(found.total)) }),
  };
};

const findOrdered = async (
  db: Db,
  filter: ListFilter,
  { sort, cursor, limit }: { sort: ListOrder; cursor: string | undefined; limit: number },
): Promise<FoundPage> => {
  const found = await run(db, buildPageStatement(filter, sort, parseListCursor(sort, cursor), limit), limit);
  const page = toPage(splitList(found.ids), limit, (id) => formatListCursor({ id, key: found.key ?? undefined }));
  return toFoundPage({ ids: page.rows, nextCursor: page.nextCursor }, found, { filter, sort, limit });
};

const findBest = async (db: Db, filter: ListFilter, cursor: string | undefined, limit: number): Promise<FoundPage> => {
  const found = await run(db, buildBestStatement(filter, parseBestCursor(cursor), limit), limit);
  const { rows: keys, nextCursor } = toPage(splitList(found.keys), limit, (key) => key);
  const ids = keys.map((key) => key.slice(key.indexOf('_') + 1));
  return toFoundPage({ ids, nextCursor }, found, { filter, sort: 'best', limit });
};

/**
 * Ids of the public ads on a page, and the total on first pages, in one statement. Without words, best match is newest
 * first. @throws {AppError} overloaded
 */
export const findPage = (
  db: Db,
  filter: ListFilter,
  { sort = 'newest', cursor, limit = LIMITS.pageSize }: PageRequest = {},
): Promise<FoundPage> => {
  if (sort !== 'best') return findOrdered(db, filter, { sort, cursor, limit });
  return filter.ranks
    ? findBest(db, filter, cursor, limit)
    : findOrdered(db, filter, { sort: 'newest', cursor, limit });
};
