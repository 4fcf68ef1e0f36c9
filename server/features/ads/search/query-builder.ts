import { LIMITS } from '../../../../contract/limits.ts';
import {
  addPriceSteps,
  type Bindings,
  type GivenFilter,
  hasFacet,
  isPrice,
  join,
  type ListFilter,
  listFacets,
  listGiven,
  listPriceFacets,
} from './filters.ts';
import { bindOrder, COLUMNS, type Cursor, type ListOrder, MAX_ID, ORDERS, type Order, WITHIN } from './orders.ts';

import { isAnyOf, listNeededWords, splitQuery } from './query-words.ts';

export type { ListFilter } from './filters.ts';

/**
 * Builds the statements that find ads. They read listed_ads, the narrow copy of every listed ad; filters.ts has its
 * conditions and orders.ts its orders. The plan depends on the filter:
 *
 * - few ads have a word (CTE `rarest`), or are in the price range or the radius: all of them are read and sorted (CTEs
 *   `rare`, `placed`, `priced`, of which `few` has the matches of the first that is complete; `whole` says whether there
 *   is one).
 * - otherwise the first ads in the list's order are walked (CTE `reach`: where the walk ended), which suffices for
 *   filters that many ads meet. What lies behind is read from the index of words and facets: newest first in one bucket
 *   of ids after another, or, in other orders, all matches at once.
 * - filters that the order's own index has, or that nearly all ads meet: the walk alone.
 *
 * CTE names are private to this file; callers get complete statements, or an IdSelect to embed. A new filter needs a line
 * in FILTERS. docs/PERFORMANCE.md has the design and the figures; search-pages.db.test.ts compares results and plans.
 */

export interface IdSelect {
  ctes: string;
  sql: string;
  bindings: Bindings;
}

/** So many ads are read at once, if they are all that can match. */
const FEW = 2000;

/** The same for a price range with words: the index finds words together with prices, too. */
const FEW_WITH_WORDS = 300;

/** How far the order is walked: less far with words, which are not in listed_ads, and with what the index has. */
const WALK = { words: { newest: 300, other: 1500 }, facets: 1000, other: 4000 };

/**
 * A word in at most this many ads per bucket (of 60 buckets at most) is rare: reading all its matches is cheaper than
 * searching for the newest. Counting them requires reading more, so its limit is higher. Without another filter, all
 * ads with the word match, and the count stops early (LIMITS.countCap), so that reading more is useless.
 */
export const RARE = { page: 5, total: 150, totalOfWord: 16 };

/** The newest ads are walked only for words in at least this many ads per bucket, since they fill the page soon. */
const COMMON = 800;

/** If at most this many ads can be expected to match, a search for all of them is faster than one in several buckets. */
const SCANNED_AT_ONCE = 5000;

export const bindParts = ({ query }: ListFilter): Bindings =>
  query ? Object.fromEntries(splitQuery(query).map((part, i) => [`part${i}`, part])) : {};

/**
 * Conditions for the index, one for each part of the query: GIN reads less when they are separate. With a narrow price
 * range, `priced` are those that find words together with prices, or else prices alone. `match` checks the exact price.
 */
const listWordConditions = (filter: ListFilter): { sql: string[]; priced: string[]; bindings: Bindings } => {
  const parts = Object.entries(bindParts(filter)).map(([name, part], i) => {
    const needed = listNeededWords(String(part));
    return { name, part: String(part), pricedName: `priced${i}`, words: needed && addPriceSteps(filter, needed) };
  });
  const withPrice = parts.filter(({ words }) => words);
  const facets = parts.length > 0 && withPrice.length === 0 ? listPriceFacets(filter) : undefined;
  const priced = [
    ...withPrice.map(({ pricedName }) => `ad_priced_words(l.id, l.words, l.price) && (select :${pricedName}::text[])`),
    ...(facets ? [hasFacet(':priceFacets')] : []),
  ];
  const others = parts.filter(({ words, part }) => !(words && isAnyOf(part)));
  return {
    sql: [...priced, ...others.map(({ name }) => `ad_words(l.id, l.words) @@ (select :${name}::tsquery)`)],
    priced,
    bindings: {
      ...Object.fromEntries(parts.map(({ name, part }) => [name, part])),
      ...Object.fromEntries(withPrice.map(({ pricedName, words }) => [pricedName, words])),
      ...(facets && { priceFacets: facets }),
    },
  };
};

/** A list, taken apart. */
export interface Plan {
  filter: ListFilter;
  sort: ListOrder;
  order: Order;
  given: GivenFilter[];
  /** Conditions on a row `l` of listed_ads. */
  match: string;
  /** Those for the index without the words. */
  indexRest: string;
  /** The same, with words and facets for the index. */
  indexMatch: string;
  /** Whether the index of words has more than the category of this filter. */
  isIndexed: boolean;
  hasRadius: boolean;
  /** Whether the index finds its words together with the price; with something else: a category, a facet. */
  isPriced: boolean;
  isScoped: boolean;
  bindings: Bindings;
}

export const toPlan = (filter: ListFilter, sort: ListOrder, cursor: Cursor | null): Plan => {
  const given = listGiven(filter);
  const facets = listFacets(given);
  const words = listWordConditions(filter);
  const hasPlace = sort === 'nearest' && 'l.place_id is not null';
  const others = given.filter(({ name }) => name !== 'query').map(({ sql, unindexed = sql }) => unindexed);
  return {
    filter,
    sort,
    order: ORDERS[sort],
    given,
    match: join([hasPlace, ...given.map(({ sql }) => sql)]),
    indexRest: join([...words.priced, ...facets.sql, ...others]),
    indexMatch: join([sort === 'nearest' && 'l.x is not null', ...words.sql, ...facets.sql, ...others]),
    isIndexed: words.sql.length + facets.sql.length > 0,
    hasRadius: filter.near?.chord !== undefined,
    isPriced: words.priced.length > 0,
    isScoped: filter.categoryId !== undefined || facets.sql.length > 0,
    bindings: Object.assign(
      {},
      ...given.map(({ bindings }) => bindings),
      facets.bindings,
      words.bindings,
      bindOrder(cursor, filter),
    ),
  };
};

const conditionsOf = ({ given }: Plan, isWanted: (filter: GivenFilter) => boolean): string[] =>
  given.filter(isWanted).map(({ sql }) => sql);

const IS_WHOLE = '(select is_so from whole)';

/**
 * What is known of the words of the query, in one row, without numbers if they are unknown: in how many ads the rarest term is, and how
 * many ads can be expected to match, supposing that no word attracts the other.
 */
const rarestCte = (plan: Plan): string => `rarest as materialized (
    select ads, ads * least(1, next::float8 / greatest(last, 1))${isNarrow(plan) ? ` / ${NARROW}` : ''} as expected,
      least(1 + (last >> 14), 60) as buckets
    from (select nullif(:queryAds::bigint, -1) as ads, coalesce(nullif(:nextAds::bigint, -1), ${MAX_ID}) as next) given,
      (select coalesce(max(id), 0) as last from listed_ads) highest
  ),`;

/** A filter that the index has leaves about so many ads of a word: one of eight. */
const NARROW = 8;

const isNarrow = ({ given }: Plan): boolean => given.some(({ name, isLight }) => name !== 'query' && isLight !== true);

/**
 * If so few ads have both of two words, they are all looked up at once, unless even the rarer word is common. So are those with words and
 * a price, or, unless the newest ads would fill the page, words and a category: few or none may have both.
 */
const RARE_TOGETHER = { expected: 2000, rarest: 60_000 };

const isRare = ({ sort, given, isPriced, isScoped }: Plan): string => {
  // in a price range that the index does not have, many ads would be compared
  const isSelective = isPriced || (isScoped && sort !== 'newest' && !given.some(isPrice));
  const expected = isSelective ? '' : `expected <= ${RARE_TOGETHER.expected} and `;
  return `(select coalesce(ads <= :rare::integer * buckets, false)
    or coalesce(${expected}ads <= ${RARE_TOGETHER.rarest}, false) from rarest)`;
};
const IS_COMMON = `(select coalesce(ads > ${COMMON} * buckets, true) from rarest)`;

/** Whether a search for all matches at once is cheap. */
const isScannedAtOnce = ({ filter }: Plan): string =>
  filter.query ? `(select coalesce(expected <= ${SCANNED_AT_ONCE}, false) from rarest)` : 'false';

interface Source {
  name: string;
  /** With more ads than this it is not complete. */
  few: number;
  /** Reads it only then. */
  when?: string;
  /** Rows of listed_ads, or what orders need of them and an index has. */
  sql: string;
  /** Rows `l` that match. */
  matches: string;
  /** Whether all of its ads match, and it is read for every query. */
  isExact: boolean;
}

/** What the indexes by place and price have, too. */
const SCOPE: (keyof ListFilter)[] = ['categoryId', 'isUnsold'];

/** Sets of ads that contain all matches, cheapest first; each is read only if those before it are not complete. */
const listSources = (plan: Plan): Source[] => {
  const { filter, sort, order, given, hasRadius, match, indexMatch } = plan;
  const scope = conditionsOf(plan, ({ name }) => SCOPE.includes(name));
  const range = conditionsOf(plan, isPrice);
  const covers = (...names: (keyof ListFilter)[]) => given.every(({ name }) => names.includes(name));
  const matchesOf = (name: string, isExact: boolean) =>
    isExact
      ? `select l.* from ${name} l where true`
      : // in a plain join the planner would find the ads by price once more, and compare all with all
        `select ${COLUMNS} from ${name} found cross join lateral (
          select ${COLUMNS} from listed_ads l where l.id = found.id and ${match} offset 0
        ) l where true`;
  const rare: Source = {
    name: 'rare',
    few: LIMITS.countCap,
    when: isRare(plan),
    sql: `select ${COLUMNS} from listed_ads l where ${indexMatch}`,
    matches: `select ${COLUMNS} from rare l where true`,
    isExact: false,
  };
  const isPlaceAll = covers(...SCOPE, 'near');
  const placeColumns = isPlaceAll ? [...new Set(['id', 'place_id', ...order.columns])] : ['id'];
  const placed: Source = {
    name: 'placed',
    few: FEW,
    sql: `select ${placeColumns.map((name) => `l.${name}`).join(', ')} from ad_places p cross join lateral (
        select * from listed_ads l where ${join(['l.place_id = p.place_id', ...scope])} limit ${FEW + 1}
      ) l where ${WITHIN}`,
    matches: matchesOf('placed', isPlaceAll),
    isExact: isPlaceAll,
  };
  // the order by distance leaves out ads without a place
  const isPriceAll = sort !== 'nearest' && covers(...SCOPE, 'minPrice', 'maxPrice');
  const priced: Source = {
    name: 'priced',
    few: filter.query && !hasRadius ? FEW_WITH_WORDS : FEW,
    sql: `select l.id${isPriceAll ? ', l.price' : ''} from listed_ads l where ${join([...scope, ...range])}`,
    matches: matchesOf('priced', isPriceAll),
    isExact: isPriceAll,
  };
  return [...(filter.query ? [rare] : []), ...(hasRadius ? [placed] : []), ...(range.length > 0 ? [priced] : [])];
};

/**
 * The CTE of each source, and of its size; `few`: the matches among the ads of the first complete source, unordered;
 * `whole`: whether there is one, and how many match. A source that is not complete has one ad more than its limit.
 */
const fewCtes = (plan: Plan): string => {
  const sources = listSources(plan);
  if (sources.length === 0) return '';
  const isComplete = ({ name, few, when }: Source) =>
    join([when ?? false, `(select size <= ${few} from ${name}_size)`]);
  const earlier = (i: number) => sources.slice(0, i).map((source) => `not (${isComplete(source)})`);
  const read = sources.map(
    ({ name, few, when, sql }, i) =>
      `${name} as materialized (
        select * from (${sql} limit ${few + 1}) l where ${join([when ?? false, ...earlier(i)])}
      ), ${name}_size as materialized (select count(*) as size from ${name})`,
  );
  const matches = sources.map((source, i) => `${source.matches} and ${join([isComplete(source), ...earlier(i)])}`);
  return `${plan.filter.query ? rarestCte(plan) : ''} ${read.join(', ')},
    few as materialized (${matches.join(' union all ')}),
    whole as materialized (
      select ${sources.map((source) => `(${isComplete(source)})`).join(' or ')} as is_so, count(*) as matches from few
    ),`;
};

/** So many buckets are searched one by one, from the newest on; the others at once, since few of their ads match. */
const BUCKETS = { page: 6, pageOfWord: 2, count: 16 };

/** The count searches bucket by bucket if the page shows that they will suffice: its ads are at most so far apart. */
const getReach = (pageSize: number): number => Math.floor((pageSize * BUCKETS.count * 16_384) / LIMITS.countCap);

/**
 * Matching ads from the index of words and facets: in one bucket of 16,384 ids after another, so that a page reads few
 * buckets, then in all the others. `id + 0` forces that index: in order of id the planner would check every ad. Without
 * the limit inside the lateral join the planner would use a hash join and read everything. `top`: a row with the id to
 * begin with. `count`: SQL of the number of buckets.
 */
const searchIndex = (top: string, where: string, order: string, limit: number, count: string): string => {
  const search = (from: string, condition: string) =>
    `select found.id from ${from} cross join lateral (
       select l.id from listed_ads l where ${join([where, condition])} ${order} limit ${limit}
     ) found`;
  const buckets = `${top}, generate_series(${top}.id >> 14, greatest(0, (${top}.id >> 14) - (${count}) + 1), -1) bucket`;
  return `(${search(buckets, '(l.id >> 14) = bucket')} limit ${limit})
    union all
    (${search(top, `(l.id + 0) >> 14 <= (${top}.id >> 14) - (${count})`)})
    limit ${limit}`;
};

const selectBehindReach = (plan: Plan, limit: number): string => {
  const { order, sort, match, indexMatch, isIndexed } = plan;
  const behind = join([indexMatch, order.behind('reach.key', 'reach.id')]);
  const buckets = `case when ${isScannedAtOnce(plan)} then ${BUCKETS.pageOfWord} else ${BUCKETS.page} end`;
  if (sort === 'newest' && isIndexed) return searchIndex('reach', behind, `order by ${order.sortBy}`, limit, buckets);
  // without the offset the planner would look for the words in one place after another
  const matches = `(select ${COLUMNS} from listed_ads l where ${isIndexed ? indexMatch : match} offset 0)`;
  return `select found.id from reach cross join lateral (
      select l.id from ${order.from(matches)} where ${order.behind('reach.key', 'reach.id')}
      order by ${order.sortBy} limit ${limit}
    ) found`;
};

const countSteps = ({ filter, sort, isIndexed }: Plan): number => {
  if (filter.query) return sort === 'newest' ? WALK.words.newest : WALK.words.other;
  return isIndexed && sort === 'newest' ? WALK.facets : WALK.other;
};

const selectIds = (plan: Plan, hasCursor: boolean, limit: number): string => {
  const { sort, order, match, given, hasRadius } = plan;
  const isScoped = ({ name, isLight }: GivenFilter) => isLight === true || order.scope.includes(name);
  const walk = (condition: string, steps: number) =>
    order.walk({ match: condition, hasCursor, hasRadius, limit: steps });
  if (given.every(isScoped)) return `select id from (${walk(match, limit)}) l`;
  const scope = conditionsOf(plan, ({ name }) => name !== 'near' && order.scope.includes(name));
  const isWhole = listSources(plan).length > 0 && IS_WHOLE;
  const steps = countSteps(plan);
  const isNotWhole = isWhole && `not ${isWhole}`;
  const mayWalk = sort === 'newest' && plan.filter.query ? IS_COMMON : 'true';
  const first = walk(join([...scope, isNotWhole, mayWalk]), steps);
  // a cursor can be far above the newest ad: no bucket there has an ad
  const start = `least((select max(id) + 1 from listed_ads)${hasCursor ? ', :cursor::bigint' : ''})`;
  const unwalked = `select ${start} as id, null::numeric as key where ${join([isNotWhole, `not ${mayWalk}`])}`;
  const cursor = sort === 'nearest' ? ':cursorKey::float8' : ':cursorKey::numeric';
  const few = `(select l.id from ${order.from('few')}
      where ${join([isWhole, hasCursor && order.behind(cursor, ':cursor::bigint')])} order by ${order.by} limit ${limit})
    union all`;
  return `with reach as materialized ((select id, key from (${first}) l offset ${steps - 1} limit 1)
      ${mayWalk === 'true' ? '' : `union all ${unwalked}`})
    ${isWhole ? few : ''}
    (select l.id from (${first}) l where ${match} limit ${limit})
    union all
    (${selectBehindReach(plan, limit)})
    limit ${limit}`;
};

/** Ids of matching listed ads behind the cursor. `rare` says when a word is rare (RARE). */
export const selectListed = (plan: Plan, hasCursor: boolean, limit: number, rare: number): IdSelect => {
  const { query, queryAds = -1, nextAds = -1 } = plan.filter;
  const words: Bindings = query ? { queryAds: Math.ceil(queryAds), nextAds: Math.ceil(nextAds), rare } : {};
  return {
    ctes: fewCtes(plan),
    sql: selectIds(plan, hasCursor, limit),
    bindings: { ...plan.bindings, ...words },
  };
};

/** Ids of matching listed ads, newest first, below the cursor. */
export const selectListedIds = (filter: ListFilter, cursor: string | null, limit: number): IdSelect => {
  const plan = toPlan(filter, 'newest', cursor === null ? null : { id: cursor });
  return selectListed(plan, cursor !== null, limit, RARE.page);
};

export const selectCount = (plan: Plan, pageSize: number): string => {
  const { filter, sort, match, indexMatch, isIndexed } = plan;
  const limit = LIMITS.countCap + 1;
  const sources = listSources(plan);
  const isPage = `when cardinality(ids) <= ${pageSize} then cardinality(ids)`;
  const isFew = sources.length > 0 ? `when ${IS_WHOLE} then (select matches from whole)` : '';
  // `rare` contains matches only, and more than are counted if it is not complete
  const isMany = filter.query ? `when ${isRare(plan)} then ${limit}` : '';
  // one that is not complete has more ads than are counted
  const source = sources.find(({ isExact }) => isExact);
  const isNear = sort === 'newest' ? `id - ids[${pageSize}] <= ${getReach(pageSize)}` : `not ${isScannedAtOnce(plan)}`;
  const newest = `newest as materialized (
      select id, case when ${isNear} then ${BUCKETS.count} else 0 end as buckets
      from (select coalesce(max(id), 0) as id from listed_ads) l
    )`;
  const matches = isIndexed
    ? `with ${newest} ${searchIndex('newest', indexMatch, '', limit, '(select buckets from newest)')}`
    : `select l.id from listed_ads l where ${match} limit ${limit}`;
  const all = source ? `(select size from ${source.name}_size)` : `(select count(*) from (${matches}) matches)`;
  return `select case ${isPage} ${isFew} ${isMany} else ${all} end`;
};
