import type { Sort } from '../../../../contract/filters.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { toPage } from '../../../db/pagination.ts';
import type { Db } from '../../../db/pools.ts';
import { isCutOff, queryOnce, queryPrepared } from '../../../db/prepared.ts';
import { AppError } from '../../../errors.ts';
import { formatListCursor, parseListCursor } from './orders.ts';
import { buildPageStatement, isCountedByCategory, type ListFilter } from './query-builder.ts';

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
  ids: string;
  key?: string | null;
  chords?: string | null;
  total: string | null;
}

const SEARCH_MS = 2000;

const explainCutOff = (error: unknown): never => {
  if (!isCutOff(error)) throw error;
  throw new AppError('overloaded', {
    message: 'This search takes too long. Please try other words or filters.',
    cause: error,
  });
};

const splitList = (text: string | null | undefined): string[] => (text ? text.split(',') : []);

/** Ids of the public ads on a page, and the total on first pages, in one statement. Throws overloaded. */
export const findPage = async (
  db: Db,
  filter: ListFilter,
  { sort = 'newest', cursor, limit = LIMITS.pageSize }: PageRequest = {},
): Promise<FoundPage> => {
  const { sql, bindings, isUsual } = buildPageStatement(filter, sort, parseListCursor(sort, cursor), limit);
  // each limit is a separate statement, so only the usual one is prepared
  const query = limit === LIMITS.pageSize && isUsual ? queryPrepared<FoundRow> : queryOnce<FoundRow>;
  const [found] = (await query(db, sql, bindings, { cutOffMs: SEARCH_MS }).catch(explainCutOff)) as [FoundRow];
  const { rows: ids, nextCursor } = toPage(splitList(found.ids), limit, (id) =>
    formatListCursor({ id, key: found.key ?? undefined }),
  );
  const chords = splitList(found.chords).map((chord) => (chord === '' ? null : Number(chord)));
  return {
    ids,
    nextCursor,
    ...(filter.near && { chords: chords.slice(0, limit) }),
    ...(found.total !== null && { total: toTotal(filter, sort, Number(found.total)) }),
  };
};
