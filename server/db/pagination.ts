/** A keyset page: `order by id desc`, `id < cursor`. One row beyond the limit shows that there is a next page. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
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
