import type { AdState } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';

/**
 * Builds the statements that find ads. The fast plan depends on the filter:
 *
 * - words: rare words are read completely from the index of words (CTEs `rarest`, `few`, `whole`). For common words, a
 *   page is searched among the newest ads, then in one bucket of ids after another (CTE `reach`: where the newest ads
 *   end).
 * - a price range: all matches are read up to the cap of a count (CTEs `few`, `counted`), otherwise the newest ones.
 * - other filters: in the order of the list's own index.
 *
 * CTE names are private to this file; callers get complete statements, or an IdSelect to embed. Conditions on rarely
 * used columns are only checked, so a new filter needs a line in FILTERS and, if it must be fast alone, an index.
 * docs/PERFORMANCE.md has the figures; search-pages.db.test.ts compares results and plans.
 */

export interface ListFilter {
  categoryId?: number | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  /** The text of a tsquery (parseSearch). */
  query?: string | null | undefined;
  state?: AdState | undefined;
  userId?: string | undefined;
  /** Omits the ads of people whom this user blocked. */
  viewerId?: string | undefined;
  /** Omits the ads of deleted sellers whose rows a job still has to change. */
  isSellerKept?: true | undefined;
}

type FilterName = keyof ListFilter;
type Bindings = Record<string, string | number>;

export interface IdSelect {
  ctes: string;
  sql: string;
  bindings: Bindings;
}

const FILTERS: Record<FilterName, { column: string; condition: string }> = {
  // btree_gin compares no mixed types and would not use the index without the cast
  categoryId: { column: 'category_id', condition: 'category_id = :categoryId::smallint' },
  minPrice: { column: 'price', condition: 'price >= :minPrice::numeric' },
  maxPrice: { column: 'price', condition: 'price <= :maxPrice::numeric' },
  // the subselect hides the words from the planner, which would otherwise plan each search separately
  query: { column: 'tsv', condition: 'tsv @@ (select :query::tsquery)' },
  state: { column: 'state', condition: 'state = :state' },
  userId: { column: 'user_id', condition: 'user_id = :userId::bigint' },
  viewerId: {
    column: 'user_id',
    condition: 'user_id <> all (array(select blocked_id from blocks where blocker_id = :viewerId::bigint))',
  },
  isSellerKept: {
    column: 'user_id',
    condition: 'user_id <> all (array(select id from users where ads_pending and deleted_at is not null))',
  },
};

const conditionOf = (name: FilterName): string => FILTERS[name].condition;

const COLUMNS = ['id', ...new Set(Object.values(FILTERS).map(({ column }) => column))].join(', ');

/** Always binds both bounds: for a half-open range a generic plan assumes that a third of the table matches. */
const closeRange = (filter: ListFilter): ListFilter =>
  filter.minPrice || filter.maxPrice
    ? { ...filter, minPrice: filter.minPrice || '0', maxPrice: filter.maxPrice || String(LIMITS.price) }
    : filter;

const listGiven = (filter: ListFilter): [FilterName, string | number][] =>
  Object.entries(closeRange(filter)).filter(
    ([name, value]) => name in FILTERS && value !== undefined && value !== null && value !== '',
  ) as [FilterName, string | number][];

const listNames = (filter: ListFilter): FilterName[] => listGiven(filter).map(([name]) => name);

const isPrice = (name: FilterName): boolean => name === 'minPrice' || name === 'maxPrice';

export const isCountedByCategory = (filter: ListFilter): boolean =>
  listNames(filter).every((name) => name === 'categoryId');

const isPriced = (filter: ListFilter): boolean => {
  const names = listNames(filter);
  return names.some(isPrice) && names.every((name) => isPrice(name) || name === 'categoryId' || name === 'viewerId');
};

const join = (conditions: (string | false)[]): string =>
  conditions.filter((condition) => condition !== false).join(' and ');

const matchAll = (filter: ListFilter): string => join(listNames(filter).map(conditionOf));

const NEWEST = 500;

/**
 * Matching ads in one bucket of 16,384 ids after another, so that a page reads few buckets. `id + 0` forces the index
 * of words: in order of id the planner would check every ad. Without the limit inside the lateral join the planner
 * would use a hash join and read everything.
 */
const searchBuckets = (from: string, where: string, order: string, limit: number): string =>
  `select found.id from ${from} bucket cross join lateral (
     select id from ads where ${where} and (id >> 14) = bucket ${order} limit ${limit}
   ) found limit ${limit}`;

/**
 * A word in at most this many ads per bucket (of 60 buckets at most) is rare: reading all its ads is cheaper than
 * searching for the newest. Counting the matches requires reading more ads, so its limit is higher.
 */
const RARE = { page: 5, pageAndTotal: 50 };

const WORD = String.raw`'[\p{L}\p{N}]{2,30}'`;
const ALTERNATIVES = new RegExp(String.raw`^${WORD}(?: \| ${WORD})*$`, 'u');

/**
 * The required parts of a conjunction: `'a'` and `'b' | 'c'` for `'a' & ( 'b' | 'c' )`. Omits parts of unknown form.
 */
export const splitConjunction = (query: string): string[] => {
  const parts = query.split(' & ');
  // & binds more tightly than |: in 'a' & 'b' | 'c' no part is required
  if (parts.length > 1 && parts.some((part) => part.includes('|') && !/^\(.*\)$/.test(part))) return [];
  return parts.map((part) => part.replace(/^\( (.*) \)$/, '$1')).filter((part) => ALTERNATIVES.test(part));
};

const LEXEME = String.raw`'(?:[^'\\]|''|\\\\)+'`;

const unquote = (lexeme: string): string => lexeme.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\');

const listLexemes = (query: string): string[] => query.match(new RegExp(LEXEME, 'gu'))?.map(unquote) ?? [];

/**
 * Lists of stems of a query without negations: an ad without any stem of one of them does not match. At least one list,
 * each with the alternatives of a part if the parts are known.
 */
export const listRequiredWords = (query: string): string[][] => {
  const parts = splitConjunction(query);
  return (parts.length > 0 ? parts : [query]).map(listLexemes);
};
const PART = new RegExp(String.raw`^(?:${LEXEME}|\( ${LEXEME}(?: \| ${LEXEME})* \))$`, 'u');

/** A query of more parts stays whole, because each number of parts is a separate prepared statement. */
const MAX_PARTS = 4;

export const splitQuery = (query: string): string[] => {
  const parts = query.split(' & ');
  return parts.length <= MAX_PARTS && parts.every((part) => PART.test(part)) ? parts : [query];
};

const bindParts = ({ query }: ListFilter): Record<string, string> =>
  query ? Object.fromEntries(splitQuery(query).map((part, i) => [`part${i}`, part])) : {};

/** Conditions for the index of words: GIN reads less when each word is a separate condition. */
const indexConditions = (filter: ListFilter): string[] =>
  listNames(filter).flatMap((name) =>
    name === 'query'
      ? Object.keys(bindParts(filter)).map((part) => `tsv @@ (select :${part}::tsquery)`)
      : conditionOf(name),
  );

const IS_WHOLE = '(select is_so from whole)';

/**
 * For `few`: the ads of a narrow price range. The CTE `priced` reads one ad more than the cap to detect a wider range.
 */
const pricedFew = (filter: ListFilter): { cte: string; exists: string; select: string } => {
  const range = listNames(filter).filter(isPrice);
  if (range.length === 0) return { cte: '', exists: 'false', select: '' };
  const where = join(['listed', ...range.map(conditionOf)]);
  const exists = `(select count(*) <= ${LIMITS.countCap} from priced)`;
  return {
    cte: `priced as materialized (select id from ads where ${where} limit ${LIMITS.countCap + 1}),`,
    exists,
    select: `union all select ${COLUMNS} from ads join priced using (id)
      where listed and not exists (select from rarest) and ${exists}`,
  };
};

/**
 * The CTEs of a search:
 * - `rarest`: the rarest required part of the query, if it is rare. The table search_words may be a day old.
 * - `few`: the ads with that part, or else those of a narrow price range; unordered, at most one more than the cap.
 * - `whole`: whether `few` contains all matches, and how many of `few` match.
 *
 * The parts are bound as one string: for an array the planner assumes ten elements and would plan each search
 * separately.
 */
const rareCtes = (filter: ListFilter): string => {
  const priced = pricedFew(filter);
  return `rarest as materialized (
    select part::tsquery as query from string_to_table(:parts, ' & ') part cross join lateral (
      select coalesce(sum(ads), 0) as ads from search_words
      where stem = any(string_to_array(replace(part, '''', ''), ' | '))
    ) known where ads <= :rare::integer * (select least(1 + (coalesce(max(id), 0) >> 14), 60) from ads) order by ads limit 1
  ),
  ${priced.cte}
  few as materialized (
    (select ${COLUMNS} from ads where listed and tsv @@ (select query from rarest) limit ${LIMITS.countCap + 1})
    ${priced.select}
  ),
  whole as materialized (
    select (exists (select from rarest) or ${priced.exists}) and count(*) <= ${LIMITS.countCap} as is_so,
      count(*) filter (where ${matchAll(filter)}) as matches
    from few
  ),`;
};

const COUNT_FEW = `when (select is_so or matches > ${LIMITS.countCap} from whole) then (select matches from whole)`;

const searchIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const names = listNames(filter);
  const scope = ['listed', names.includes('categoryId') && conditionOf('categoryId')];
  const match = names.filter((name) => name !== 'categoryId').map(conditionOf);
  const below = hasCursor && 'id < :cursor::bigint';
  const newest = `from ads where ${join([...scope, below, `not ${IS_WHOLE}`])} order by id desc`;
  return `with reach as materialized (select id ${newest} offset ${NEWEST - 1} limit 1)
    (select id from few where ${join([IS_WHOLE, matchAll(filter), below])} order by id desc limit ${limit})
    union all
    (select id from (select ${COLUMNS} ${newest} limit ${NEWEST}) newest where ${join(match)} limit ${limit})
    union all
    (${searchBuckets(
      'reach, generate_series(reach.id >> 14, 0, -1)',
      join(['listed', ...indexConditions(filter), 'id + 0 < reach.id']),
      'order by id + 0 desc',
      limit,
    )})
    limit ${limit}`;
};

const NEWEST_PRICED = 4000;

/**
 * The CTEs of a price range. `few`: matching ads from the index of prices, unordered, at most one more than the cap;
 * `counted`: their number.
 */
const pricedCtes = (filter: ListFilter, hasCursor: boolean): string => {
  const where = join(['listed', ...listNames(filter).map(conditionOf), hasCursor && 'id < :cursor::bigint']);
  return `few as materialized (select id from ads where ${where} limit ${LIMITS.countCap + 1}),
    counted as materialized (select count(*) as matches from few),`;
};

/**
 * Ads in a price range, newest first. Up to the cap, `few` contains them all. Otherwise the page is searched among the
 * newest ads, then in the whole range. There `id + 0` prevents a scan in order of id, which the planner prefers
 * because it assumes that price and category are independent.
 */
const pricedIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const names = listNames(filter);
  const scope = ['listed', ...names.filter((name) => !isPrice(name)).map(conditionOf)];
  const range = names.filter(isPrice).map(conditionOf);
  const newest = `from ads where ${join([...scope, hasCursor && 'id < :cursor::bigint'])} order by id desc`;
  const isMany = `(select matches > ${LIMITS.countCap} from counted)`;
  return `with reach as materialized (select id ${newest} offset ${NEWEST_PRICED - 1} limit 1)
    (select id from few where not ${isMany} order by id desc limit ${limit})
    union all
    (select id from (select id, price ${newest} limit ${NEWEST_PRICED}) newest where ${isMany} and ${join(range)} limit ${limit})
    union all
    (select found.id from reach cross join lateral (
       select id from ads where ${join([...scope, ...range, 'id + 0 < reach.id'])} order by id + 0 desc limit ${limit}
     ) found where ${isMany})
    limit ${limit}`;
};

/** Ids of matching listed ads, newest first, below the cursor. `rare` says when a word is rare (RARE). */
const selectListed = (filter: ListFilter, cursor: string | null, limit: number, rare: number): IdSelect => {
  const hasCursor = cursor !== null;
  const bindings: Bindings = { ...Object.fromEntries(listGiven(filter)), ...(hasCursor && { cursor }) };
  if (filter.query)
    return {
      ctes: rareCtes(filter),
      sql: searchIds(filter, hasCursor, limit),
      bindings: { ...bindings, ...bindParts(filter), parts: splitConjunction(filter.query).join(' & '), rare },
    };
  if (isPriced(filter))
    return { ctes: pricedCtes(filter, hasCursor), sql: pricedIds(filter, hasCursor, limit), bindings };
  const conditions = listNames(filter).map(conditionOf);
  const where = join(['listed', ...conditions, hasCursor && 'id < :cursor::bigint']);
  return { ctes: '', sql: `select id from ads where ${where} order by id desc limit ${limit}`, bindings };
};

export const selectListedIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect =>
  selectListed(filter, cursor, limit, RARE.page);

const ALL_BUCKETS = 'generate_series((select coalesce(max(id), 0) >> 14 from ads), 0, -1)';

const selectCount = (filter: ListFilter, pageSize: number): string => {
  if (isPriced(filter)) return 'select matches from counted';
  const where = join(['listed', ...indexConditions(filter)]);
  const limit = LIMITS.countCap + 1;
  const matches = filter.query
    ? searchBuckets(ALL_BUCKETS, where, '', limit)
    : `select id from ads where ${where} limit ${limit}`;
  const isPage = `when cardinality(ids) <= ${pageSize} then cardinality(ids)`;
  return `select case ${isPage} ${filter.query ? COUNT_FEW : ''} else (select count(*) from (${matches}) matches) end`;
};

/**
 * A page of listed ads below the cursor, as one row: `ids`, comma-separated, one more than `pageSize` if there are
 * more; `total`, the number of matches up to one more than the cap, on a first page only. Without a filter or by
 * category alone, counters provide the exact total.
 */
export const buildPageStatement = (
  filter: ListFilter,
  cursor: string | null,
  pageSize: number,
): { sql: string; bindings: Bindings } => {
  const isFirst = cursor === null;
  const isCounted = isFirst && !isCountedByCategory(filter);
  const rare = isCounted ? RARE.pageAndTotal : RARE.page;
  const { ctes, sql, bindings } = selectListed(filter, cursor, pageSize + 1, rare);
  const { categoryId } = filter;
  const isKey = categoryId === undefined ? "like 'listed:%'" : '= :counter';
  const sumOfCounters = `select coalesce(sum(value), 0) from counter_totals where key ${isKey}`;
  const total = isCounted ? selectCount(filter, pageSize) : isFirst ? sumOfCounters : 'select null';
  return {
    // ids as a string: pg parses an array more slowly than the rest of the row
    sql: `with ${ctes} page as materialized (select array(${sql}) as ids)
      select array_to_string(ids, ',') as ids, (${total}) as total from page`,
    bindings:
      total === sumOfCounters && categoryId !== undefined ? { ...bindings, counter: `listed:${categoryId}` } : bindings,
  };
};

// a client may send any cursor: below the highest bigint there are too many buckets to scan
const BUCKETS_BELOW_CURSOR =
  'generate_series(least(:cursor::bigint, (select coalesce(max(id), 0) from ads)) >> 14, 0, -1)';

const UNLISTED = "not listed and state <> 'deleted'";

const unlistedIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const where = join([UNLISTED, ...indexConditions(filter), hasCursor && 'id + 0 < :cursor::bigint']);
  const buckets = hasCursor ? BUCKETS_BELOW_CURSOR : ALL_BUCKETS;
  return searchBuckets(buckets, where, 'order by id + 0 desc', limit);
};

export const selectAnyIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect => {
  const listed = selectListedIds(filter, cursor, limit);
  if (filter.query && !filter.userId) {
    const unlisted = unlistedIds(filter, cursor !== null, limit);
    return { ...listed, sql: `(${listed.sql}) union all (${unlisted}) order by id desc limit ${limit}` };
  }
  const conditions = listNames(filter).map(conditionOf);
  const where = join(["state <> 'deleted'", ...conditions, cursor !== null && 'id < :cursor::bigint']);
  return { ...listed, sql: `select id from ads where ${where} order by id desc limit ${limit}` };
};

/**
 * The condition that the row of ads in scope matches a stored filter. `stored` is an SQL expression of a ListFilter as
 * jsonb; values of filters are scalars there.
 */
export const matchStored = (stored: string): string =>
  Object.entries(FILTERS)
    .map(([name, { condition }]) => {
      const bound = condition.replace(/(?<!:):(\w+)/g, (_, key: string) => `(${stored}->>'${key}')`);
      return `(${stored}->>'${name}' is null or ${bound})`;
    })
    .join(' and ');
