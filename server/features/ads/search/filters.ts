import type { AdState, Condition, PriceType } from '../../../../contract/ads.ts';
import { type DetailFilter, listNumberTokens, listSteps } from '../../../../contract/attributes.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Near } from './distance.ts';

export interface ListFilter {
  categoryId?: number | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  /** The text of a tsquery (parseSearch). */
  query?: string | null | undefined;
  state?: AdState | undefined;
  userId?: string | undefined;
  /** Omits the ads of these users. */
  notUserIds?: readonly string[] | undefined;
  /** Omits the ads of people whom this user blocked. */
  viewerId?: string | undefined;
  /** Omits the ads of deleted sellers whose rows a job still has to change. */
  isSellerKept?: true | undefined;
  conditions?: readonly Condition[] | undefined;
  priceTypes?: readonly PriceType[] | undefined;
  isUnsold?: true | undefined;
  hasPhotos?: true | undefined;
  /** Texts are folded (foldDetails). */
  details?: readonly DetailFilter[] | undefined;
  /** With a radius, a filter; the order by distance starts there too. */
  near?: Near | undefined;
}

export type Bindings = Record<string, string | number | readonly string[]>;

/**
 * What a filter requires of a row of listed_ads. `anyOf`: facets (ad_facets) of which the row has at least one; the
 * index of words finds them, so that a rare one needs no walk. They may be wider than `sql`, which is always checked.
 */
interface Requirement {
  sql: string;
  bindings?: Bindings;
  anyOf?: readonly string[];
  /** The same for a search in the index of words and facets, where no other index shall be used. */
  unindexed?: string;
  /** Nearly all ads meet it: it needs no index. */
  isLight?: true;
}

const isOneOf = (column: string, name: string, values: readonly string[]): Requirement => ({
  sql: `${column} = any(:${name}::text[])`,
  bindings: { [name]: values },
  anyOf: values.map((value) => `${name}=${value}`),
});

/** One filter by a detail. Numbers are compared as numbers. */
const ofDetail = (filter: DetailFilter, i: number): Requirement[] => {
  const { key, value, min, max } = filter;
  const isRange = min !== undefined || max !== undefined;
  const equal: Requirement = {
    sql: `details ->> :detail${i} = :equal${i}`,
    bindings: { [`detail${i}`]: key, [`equal${i}`]: String(value) },
    anyOf: [`d.${key}=${value}`],
  };
  const range: Requirement = {
    sql: `(details ->> :detail${i})::numeric between :from${i}::numeric and :to${i}::numeric`,
    bindings: {
      [`detail${i}`]: key,
      [`from${i}`]: String(min ?? 0),
      [`to${i}`]: String(max ?? Number.MAX_SAFE_INTEGER),
    },
    anyOf: listNumberTokens(filter).map((token) => `d.${key}${token}`),
  };
  return [...(value === undefined ? [] : [equal]), ...(isRange ? [range] : [])];
};

/** A list too long costs more than it saves. */
const MOST_FACETS = 400;

/** One line for each filter. */
const FILTERS: { [Name in keyof ListFilter]-?: (value: NonNullable<ListFilter[Name]>) => Requirement | Requirement[] } =
  {
    // btree_gin compares no mixed types and would not use the index without the cast
    categoryId: (categoryId) => ({ sql: 'category_id = :categoryId::smallint', bindings: { categoryId } }),
    minPrice: (minPrice) => ({
      sql: 'price >= :minPrice::numeric',
      unindexed: 'price + 0 >= :minPrice::numeric',
      bindings: { minPrice },
    }),
    maxPrice: (maxPrice) => ({
      sql: 'price <= :maxPrice::numeric',
      unindexed: 'price + 0 <= :maxPrice::numeric',
      bindings: { maxPrice },
    }),
    // the subselect hides the words from the planner, which would otherwise plan each search separately
    query: (query) => ({
      sql: '(select ads.tsv from ads where ads.id = l.id) @@ (select :query::tsquery)',
      bindings: { query },
    }),
    // every listed ad is active
    state: (state) => ({ sql: ":state = 'active'", bindings: { state } }),
    userId: (userId) => ({ sql: 'user_id = :userId::bigint', bindings: { userId } }),
    notUserIds: (notUserIds) => ({
      sql: 'user_id <> all (:notUserIds::bigint[])',
      bindings: { notUserIds },
      isLight: true,
    }),
    viewerId: (viewerId) => ({
      sql: 'user_id <> all (array(select blocked_id from blocks where blocker_id = :viewerId::bigint))',
      bindings: { viewerId },
      isLight: true,
    }),
    isSellerKept: () => ({
      sql: 'user_id <> all (array(select id from users where ads_pending and deleted_at is not null))',
      isLight: true,
    }),
    conditions: (conditions) => isOneOf('condition', 'condition', conditions),
    priceTypes: (priceTypes) => isOneOf('price_type', 'priceType', priceTypes),
    isUnsold: () => ({ sql: 'not is_sold', isLight: true }),
    hasPhotos: () => ({ sql: 'has_photos', isLight: true }),
    details: (details) => details.flatMap(ofDetail),
    near: ({ x, y, z, chord, cells }) =>
      chord === undefined
        ? []
        : {
            sql: '(x - :x::float8) ^ 2 + (y - :y::float8) ^ 2 + (z - :z::float8) ^ 2 <= :chord::float8 ^ 2',
            bindings: { x, y, z, chord },
            anyOf: cells.map((cell) => `cell=${cell}`),
          },
  };

export interface GivenFilter extends Requirement {
  name: keyof ListFilter;
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Always binds both bounds: for a half-open range a generic plan assumes that a third of the table matches. */
const closeRange = (filter: ListFilter): ListFilter =>
  filter.minPrice || filter.maxPrice
    ? { ...filter, minPrice: filter.minPrice || '0', maxPrice: filter.maxPrice || String(LIMITS.price) }
    : filter;

export const listGiven = (filter: ListFilter): GivenFilter[] =>
  (Object.entries(closeRange(filter)) as [keyof ListFilter, never][])
    .filter(([name, value]) => name in FILTERS && isGiven(value))
    .flatMap(([name, value]) => [FILTERS[name](value)].flat().map((requirement) => ({ name, ...requirement })));

/** The index has each word of an ad with the step of its price: three steps to each power of e (ad_priced_words). */
const PRICE_STEPS = 3;

/** With more steps the index would look up more than it saves. */
const MOST_PRICE_STEPS = 6;

/** Each word with each step of the price range, as the index has them; undefined for a wide range. */
export const addPriceSteps = (filter: ListFilter, words: readonly string[]): string[] | undefined => {
  const { minPrice, maxPrice } = closeRange(filter);
  if (!minPrice || !maxPrice) return undefined;
  const steps = listSteps(Number(minPrice), Number(maxPrice), PRICE_STEPS);
  if (steps.length > MOST_PRICE_STEPS) return undefined;
  return words.flatMap((word) => steps.map((step) => `${word}~${step}`));
};

export const join = (conditions: readonly (string | false)[]): string =>
  conditions.filter((condition) => condition !== false && condition !== '').join(' and ') || 'true';

export const isPrice = ({ name }: GivenFilter): boolean => name === 'minPrice' || name === 'maxPrice';

/** Facets for the index, and their bindings. */
export const listFacets = (given: readonly GivenFilter[]): { sql: string[]; bindings: Bindings } => {
  const groups = given.flatMap(({ anyOf = [] }) => (anyOf.length > 0 && anyOf.length <= MOST_FACETS ? [anyOf] : []));
  return {
    sql: groups.map((_, i) => `${FACETS} && (select :facets${i}::text[])`),
    bindings: Object.fromEntries(groups.map((tokens, i) => [`facets${i}`, tokens])),
  };
};

const FACETS = 'ad_facets(price, condition, price_type, cell, details)';

/** Each filter as stored with a saved search: `s` is a ListFilter as jsonb, `l` the row of listed_ads. */
const STORED: Record<keyof ListFilter, string> = {
  categoryId: "category_id = (s->>'categoryId')::smallint",
  minPrice: "price >= (s->>'minPrice')::numeric",
  maxPrice: "price <= (s->>'maxPrice')::numeric",
  query: "(select ads.tsv from ads where ads.id = l.id) @@ (s->>'query')::tsquery",
  state: "s->>'state' = 'active'",
  userId: "user_id = (s->>'userId')::bigint",
  notUserIds: "not jsonb_exists(s->'notUserIds', user_id::text)",
  viewerId: "user_id <> all (array(select blocked_id from blocks where blocker_id = (s->>'viewerId')::bigint))",
  isSellerKept: 'user_id <> all (array(select id from users where ads_pending and deleted_at is not null))',
  conditions: "jsonb_exists(s->'conditions', condition)",
  priceTypes: "jsonb_exists(s->'priceTypes', price_type)",
  isUnsold: 'not is_sold',
  hasPhotos: 'has_photos',
  details: `not exists (
    select from jsonb_to_recordset(s->'details') d (key text, value text, min numeric, max numeric)
    where ((d.value is null or l.details->>d.key = d.value)
      and (d.min is null or (l.details->>d.key)::numeric between d.min and d.max)) is not true
  )`,
  near: `s->'near'->'chord' is null or (x - (s->'near'->>'x')::float8) ^ 2 + (y - (s->'near'->>'y')::float8) ^ 2 + (z - (s->'near'->>'z')::float8) ^ 2
    <= (s->'near'->>'chord')::float8 ^ 2`,
};

/** The condition that the row `l` of listed_ads matches a stored filter. `stored`: SQL of a ListFilter as jsonb. */
export const matchStored = (stored: string): string =>
  Object.entries(STORED)
    .map(([name, condition]) => `(s->>'${name}' is null or ${condition})`)
    .map((condition) => condition.replace(/\bs->/g, `${stored}->`))
    .join(' and ');
