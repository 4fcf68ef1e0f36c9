import type { Knex } from 'knex';
import type { Db } from './pools.ts';

/** A keyset page: `order by id desc`, `id < cursor`. One row beyond the limit shows that there is a next page. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface Paging {
  cursor?: string | undefined;
  limit: number;
}

/** A keyset cursor is a positive bigint; any other value starts at the first page. */
export const parseCursor = (cursor: string | undefined): string | null =>
  cursor !== undefined && /^[1-9]\d{0,18}$/.test(cursor) && BigInt(cursor) <= 9223372036854775807n ? cursor : null;

/** Cuts `rows`, fetched with `limit + 1`, to a page. `keyOf` returns the value that orders the rows. */
export const toPage = <Row>(rows: Row[], limit: number, keyOf: (row: Row) => string): Page<Row> => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? keyOf(last) : null };
};

/** A page of the query's rows, the highest `column` first. `key`: what the rows call that column. */
export async function readPage<Row extends object>(
  query: Knex.QueryBuilder,
  { cursor, limit }: Paging,
  { column = 'id', key = 'id' as keyof Row } = {},
): Promise<Page<Row>> {
  const before = parseCursor(cursor);
  if (before !== null) query.where(column, '<', before);
  const rows: Row[] = await query.orderBy(column, 'desc').limit(limit + 1);
  return toPage(rows, limit, (row) => row[key] as string);
}

/** Like readPage, for SQL that ends in a condition, with named bindings. */
export async function queryPage<Row extends object>(
  db: Db,
  [sql, bindings]: [string, Record<string, Knex.RawBinding>],
  { cursor, limit }: Paging,
  { column = 'id', key = 'id' as keyof Row } = {},
): Promise<Page<Row>> {
  const before = parseCursor(cursor);
  const { rows } = await db.raw<{ rows: Row[] }>(
    `${sql} ${before === null ? '' : `and ${column} < :before`} order by ${column} desc limit :limit`,
    { ...bindings, before: before ?? 0, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row[key] as string);
}
