import { join, type ListFilter, listGiven } from './filters.ts';
import { bindParts, type IdSelect, selectListedIds } from './query-builder.ts';

// a client may send any cursor: below the highest bigint there are too many buckets to scan
const BUCKETS_BELOW_CURSOR =
  'generate_series(least(:cursor::bigint, (select coalesce(max(id), 0) from ads)) >> 14, 0, -1)';

const ANY_BUCKETS = 'generate_series((select coalesce(max(id), 0) >> 14 from ads), 0, -1)';

/** Conditions on a row of ads: administrators also see ads that are not listed. */
const anyConditions = (filter: ListFilter): string[] =>
  listGiven(filter).map(({ name, sql }) => (name === 'state' ? 'state = :state' : sql));

const unlistedIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const words = Object.keys(bindParts(filter)).map((part) => `tsv @@ (select :${part}::tsquery)`);
  const others = anyConditions({ ...filter, query: undefined });
  const where = join([
    "not listed and state <> 'deleted'",
    ...words,
    ...others,
    hasCursor && 'id + 0 < :cursor::bigint',
  ]);
  return `select found.id from ${hasCursor ? BUCKETS_BELOW_CURSOR : ANY_BUCKETS} bucket cross join lateral (
      select id from ads where ${where} and (id >> 14) = bucket order by id + 0 desc limit ${limit}
    ) found limit ${limit}`;
};

/** Ids of ads of every state but deleted, newest first, below the cursor. */
export const selectAnyIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect => {
  const listed = selectListedIds(filter, cursor, limit);
  if (filter.query && !filter.userId) {
    const unlisted = unlistedIds(filter, cursor !== null, limit);
    return { ...listed, sql: `(${listed.sql}) union all (${unlisted}) order by id desc limit ${limit}` };
  }
  const words = filter.query
    ? ['coalesce((select terms from ad_terms where ad_id = ads.id), tsv) @@ (select :query::tsquery)']
    : [];
  const others = anyConditions({ ...filter, query: undefined });
  const where = join(["state <> 'deleted'", ...words, ...others, cursor !== null && 'id < :cursor::bigint']);
  return { ...listed, sql: `select id from ads where ${where} order by id desc limit ${limit}` };
};
