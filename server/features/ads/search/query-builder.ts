import type { AdState } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';

/** What a list of ads is narrowed by. `query` is the text of a tsquery (parseSearch). */
export interface ListFilter {
  categoryId?: number | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  query?: string | null | undefined;
  /** For administrators. */
  state?: AdState | undefined;
  userId?: string | undefined;
}

/** A select of ids, with its named bindings. */
export interface IdSelect {
  /** Common table expressions that `sql` needs, each with a comma after it. */
  ctes: string;
  sql: string;
  bindings: Record<string, string | number>;
}

// btree_gin compares no types crosswise: without the cast the category would silently be no index condition. The select
// hides the words from the planner: plans for one search alone look cheaper to it, and it made one for each, for 1 ms
const CONDITIONS: Record<keyof ListFilter, string> = {
  categoryId: 'category_id = :categoryId::smallint',
  minPrice: 'price >= :minPrice::numeric',
  maxPrice: 'price <= :maxPrice::numeric',
  query: 'tsv @@ (select :query::tsquery)',
  state: 'state = :state',
  userId: 'user_id = :userId::bigint',
};

/** Both ends or none: a plan that serves all values takes a range with two ends to be narrow, one with a single end for a third of all. */
const closeRange = (filter: ListFilter): ListFilter =>
  filter.minPrice || filter.maxPrice
    ? { ...filter, minPrice: filter.minPrice || '0', maxPrice: filter.maxPrice || String(LIMITS.price) }
    : filter;

const given = (filter: ListFilter): [keyof ListFilter, string | number][] =>
  Object.entries(closeRange(filter)).filter(
    ([key, value]) => key in CONDITIONS && value !== undefined && value !== null && value !== '',
  ) as [keyof ListFilter, string | number][];

/** True when nothing or the category alone narrows the list. */
export const isCountedByCategory = (filter: ListFilter): boolean =>
  given(filter).every(([key]) => key === 'categoryId');

const join = (conditions: (string | false)[]): string =>
  conditions.filter((condition) => condition !== false).join(' and ');

const matchAll = (filter: ListFilter): string => join(given(filter).map(([key]) => CONDITIONS[key]));

/** Ads looked at one by one, newest first, before the index of words is asked: enough for a page of a word in one ad of 20. */
const NEWEST = 500;

/**
 * Matching ads bucket after bucket of 16,384 ids, so that a rare or absent word reads little. `id + 0` keeps the planner
 * from every index but that of words: in id order it would look at each ad. The limit belongs inside the lateral: without
 * it the planner joins by hash and reads everything.
 */
const searchBuckets = (from: string, where: string, order: string, limit: number): string =>
  `select found.id from ${from} bucket cross join lateral (
     select id from ads where ${where} and (id >> 14) = bucket ${order} limit ${limit}
   ) found limit ${limit}`;

/** So many ads a bucket, of 60 buckets at most, and a word is rare: reading all of them takes less than finding the newest. */
const RARE = 5;

/** Likewise where matches are counted as well. */
export const RARE_COUNTED = 50;

/** A word as the list of words has it, which says how many ads do; others may be in many ads. */
const WORD = String.raw`'[\p{L}\p{N}]{2,30}'`;
const ALTERNATIVES = new RegExp(String.raw`^${WORD}(?: \| ${WORD})*$`, 'u');

/** Of `'a' & ( 'b' | 'c' )`, what must occur: `'a'` and `'b' | 'c'`. Some may be left out, all where it is none of that kind. */
export const splitConjunction = (query: string): string[] => {
  const parts = query.split(' & ');
  // & binds first: in 'a' & 'b' | 'c' nothing must occur
  if (parts.length > 1 && parts.some((part) => part.includes('|') && !/^\(.*\)$/.test(part))) return [];
  return parts.map((part) => part.replace(/^\( (.*) \)$/, '$1')).filter((part) => ALTERNATIVES.test(part));
};

const LEXEME = String.raw`'(?:[^'\\]|''|\\\\)+'`;
const PART = new RegExp(String.raw`^(?:${LEXEME}|\( ${LEXEME}(?: \| ${LEXEME})* \))$`, 'u');

/** More words than this are looked up together: each number of words is a statement of its own. */
const MOST_PARTS = 4;

/** Of `'a' & ( 'b' | 'c' )`, the parts; what is built otherwise stays whole. */
export const splitQuery = (query: string): string[] => {
  const parts = query.split(' & ');
  return parts.length <= MOST_PARTS && parts.every((part) => PART.test(part)) ? parts : [query];
};

const bindParts = ({ query }: ListFilter): Record<string, string> =>
  query ? Object.fromEntries(splitQuery(query).map((part, i) => [`part${i}`, part])) : {};

/** As the index of words takes them: each word a condition of its own, which spares GIN a seventh of its walk. */
const indexConditions = (filter: ListFilter): string[] =>
  given(filter).flatMap(([key]) =>
    key === 'query'
      ? Object.keys(bindParts(filter)).map((part) => `tsv @@ (select :${part}::tsquery)`)
      : CONDITIONS[key],
  );

const FEW_COLUMNS = 'id, category_id, price, tsv, state, user_id';

/** A condition on a search: all that match are among `few`. */
const IS_WHOLE = '(select is_so from whole)';

/** `priced`: ads in the price range, at most one more than is counted. They are among `few` where those are all. */
const pricedFew = (filter: ListFilter): { cte: string; exists: string; select: string } => {
  const range = given(filter).filter(([key]) => key === 'minPrice' || key === 'maxPrice');
  if (range.length === 0) return { cte: '', exists: 'false', select: '' };
  const where = join(['listed', ...range.map(([key]) => CONDITIONS[key])]);
  const exists = `(select count(*) <= ${LIMITS.countCap} from priced)`;
  return {
    cte: `priced as materialized (select id from ads where ${where} limit ${LIMITS.countCap + 1}),`,
    exists,
    select: `union all select ${FEW_COLUMNS} from ads join priced using (id)
      where listed and not exists (select from rarest) and ${exists}`,
  };
};

/**
 * `rarest`: what must occur and is rare, if anything; `few`: ads with it, in no order, at most one more than is counted,
 * or else those in a narrow price range; `whole`: whether those are all, and how many of them match. The list of words may be a day old. An array for the parts
 * would have the planner plan each search anew: it takes one that it does not know to have ten members.
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
    (select ${FEW_COLUMNS} from ads where listed and tsv @@ (select query from rarest) limit ${LIMITS.countCap + 1})
    ${priced.select}
  ),
  whole as materialized (
    select (exists (select from rarest) or ${priced.exists}) and count(*) <= ${LIMITS.countCap} as is_so,
      count(*) filter (where ${matchAll(filter)}) as matches
    from few
  ),`;
};

/** A branch of `case`: how many match, where that is known from `few`. */
export const COUNT_FEW = `when (select is_so or matches > ${LIMITS.countCap} from whole) then (select matches from whole)`;

const searchIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const keys = given(filter).map(([key]) => key);
  const scope = ['listed', keys.includes('categoryId') && CONDITIONS.categoryId];
  const match = keys.filter((key) => key !== 'categoryId').map((key) => CONDITIONS[key]);
  const below = hasCursor && 'id < :cursor::bigint';
  const newest = `from ads where ${join([...scope, below, `not ${IS_WHOLE}`])} order by id desc`;
  return `with reach as materialized (select id ${newest} offset ${NEWEST - 1} limit 1)
    (select id from few where ${join([IS_WHOLE, matchAll(filter), below])} order by id desc limit ${limit})
    union all
    (select id from (select id, price, tsv, state, user_id ${newest} limit ${NEWEST}) newest where ${join(match)} limit ${limit})
    union all
    (${searchBuckets(
      'reach, generate_series(reach.id >> 14, 0, -1)',
      join(['listed', ...indexConditions(filter), 'id + 0 < reach.id']),
      'order by id + 0 desc',
      limit,
    )})
    limit ${limit}`;
};

/** As many of the newest are looked at before the index of prices is asked: a range in one ad of 160 fills a page. */
const NEWEST_PRICED = 4000;

/** `few`: matching ads from the index of prices, in no order, at most one more than is counted; `counted`: how many. */
const pricedCtes = (filter: ListFilter, hasCursor: boolean): string => {
  const where = join(['listed', ...given(filter).map(([key]) => CONDITIONS[key]), hasCursor && 'id < :cursor::bigint']);
  return `few as materialized (select id from ads where ${where} limit ${LIMITS.countCap + 1}),
    counted as materialized (select count(*) as matches from few),`;
};

/**
 * Ads in a price range, newest first. So few that they could be counted are read already. Of many the page is found among
 * the newest, or, where those are dearer or cheaper, among all in the range. `id + 0` keeps the planner, which takes
 * price and category to be independent, from id order there.
 */
const pricedIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const keys = given(filter).map(([key]) => key);
  const isPrice = (key: string) => key === 'minPrice' || key === 'maxPrice';
  const scope = ['listed', ...keys.filter((key) => !isPrice(key)).map((key) => CONDITIONS[key])];
  const range = keys.filter(isPrice).map((key) => CONDITIONS[key]);
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

/** True where `selectListedIds` counts matches on its way (`counted`). */
export const isPriced = ({ minPrice, maxPrice, query, state, userId }: ListFilter): boolean =>
  Boolean((minPrice || maxPrice) && !query && !state && !userId);

/** Ids of matching listed ads, newest first, below the cursor. */
export const selectListedIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect => {
  const bindings = { ...Object.fromEntries(given(filter)), ...(cursor !== null && { cursor }) };
  const hasCursor = cursor !== null;
  if (filter.query)
    return {
      ctes: rareCtes(filter),
      sql: searchIds(filter, hasCursor, limit),
      bindings: { ...bindings, ...bindParts(filter), parts: splitConjunction(filter.query).join(' & '), rare: RARE },
    };
  if (isPriced(filter))
    return { ctes: pricedCtes(filter, hasCursor), sql: pricedIds(filter, hasCursor, limit), bindings };
  const conditions = given(filter).map(([key]) => CONDITIONS[key]);
  const where = join(['listed', ...conditions, hasCursor && 'id < :cursor::bigint']);
  return { ctes: '', sql: `select id from ads where ${where} order by id desc limit ${limit}`, bindings };
};

const ALL_BUCKETS = 'generate_series((select coalesce(max(id), 0) >> 14 from ads), 0, -1)';

/** Ids of at most so many matching listed ads, in no order: for counting. */
export const selectSomeIds = (filter: ListFilter, limit: number): IdSelect => {
  const where = join(['listed', ...indexConditions(filter)]);
  const bindings = { ...Object.fromEntries(given(filter)), ...bindParts(filter) };
  if (filter.query) return { ctes: '', sql: searchBuckets(ALL_BUCKETS, where, '', limit), bindings };
  return { ctes: '', sql: `select id from ads where ${where} limit ${limit}`, bindings };
};

// a cursor is anybody's invention: from the highest bigint down there are half a quadrillion buckets
const BUCKETS_BELOW_CURSOR =
  'generate_series(least(:cursor::bigint, (select coalesce(max(id), 0) from ads)) >> 14, 0, -1)';

const UNLISTED = "not listed and state <> 'deleted'";

const unlistedIds = (filter: ListFilter, hasCursor: boolean, limit: number): string => {
  const where = join([UNLISTED, ...indexConditions(filter), hasCursor && 'id + 0 < :cursor::bigint']);
  const buckets = hasCursor ? BUCKETS_BELOW_CURSOR : ALL_BUCKETS;
  return searchBuckets(buckets, where, 'order by id + 0 desc', limit);
};

/** Ids of matching ads of every state but deleted, newest first; for administrators. */
export const selectAnyIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect => {
  const listed = selectListedIds(filter, cursor, limit);
  if (filter.query && !filter.userId) {
    const unlisted = unlistedIds(filter, cursor !== null, limit);
    return { ...listed, sql: `(${listed.sql}) union all (${unlisted}) order by id desc limit ${limit}` };
  }
  const conditions = given(filter).map(([key]) => CONDITIONS[key]);
  const where = join(["state <> 'deleted'", ...conditions, cursor !== null && 'id < :cursor::bigint']);
  return { ...listed, sql: `select id from ads where ${where} order by id desc limit ${limit}` };
};
