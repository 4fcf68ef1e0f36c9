import { LIMITS } from '../../../../contract/limits.ts';
import { parseCursor, toPage } from '../../../db/pagination.ts';
import type { Db } from '../../../db/pools.ts';
import { isCutOff, queryOnce, queryPrepared } from '../../../db/prepared.ts';
import { AppError } from '../../../errors.ts';
import { buildPageStatement, isCountedByCategory, type ListFilter } from './query-builder.ts';

export type { ListFilter } from './query-builder.ts';

export interface Total {
  count: number;
  isExact: boolean;
}

const toTotal = (filter: ListFilter, count: number): Total => {
  if (isCountedByCategory(filter)) return { count, isExact: true };
  return { count: Math.min(count, LIMITS.countCap), isExact: count <= LIMITS.countCap };
};

export interface PageRequest {
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface FoundPage {
  ids: string[];
  nextCursor: string | null;
  /** On first pages: exact without filters or by category alone, else up to LIMITS.countCap. */
  total?: Total;
}

interface FoundRow {
  ids: string;
  total: string | null;
}

const SEARCH_MS = 2000;

const explainCutOff = (error: unknown): never => {
  if (!isCutOff(error)) throw error;
  throw new AppError('overloaded', { message: 'This search takes too long. Please try other words.', cause: error });
};

/** Ids of the public ads on a page, and the total on first pages, in one statement. Throws overloaded. */
export const findPage = async (
  db: Db,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: PageRequest = {},
): Promise<FoundPage> => {
  const from = parseCursor(cursor);
  const { sql, bindings } = buildPageStatement(filter, from, limit);
  // each limit is a separate statement, so only the usual one is prepared
  const query = limit === LIMITS.pageSize ? queryPrepared<FoundRow> : queryOnce<FoundRow>;
  const cutOffMs = filter.query ? SEARCH_MS : undefined;
  const [found] = (await query(db, sql, bindings, { cutOffMs }).catch(explainCutOff)) as [FoundRow];
  const { rows: page, nextCursor } = toPage(found.ids === '' ? [] : found.ids.split(','), limit, (id) => id);
  return { ids: page, nextCursor, ...(found.total !== null && { total: toTotal(filter, Number(found.total)) }) };
};
