import type { AdState } from '../../../../contract/ads.ts';
import { type DetailFilter, listNumberTokens, listSteps } from '../../../../contract/attributes.ts';
import type { Condition } from '../../../../contract/conditions.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { PriceType } from '../../../../contract/prices.ts';
import type { Near } from '../../places/distance.ts';

export interface ListFilter {
  categoryId?: number | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  /** The text of a tsquery (parse-search.ts). */
  query?: string | null | undefined;
  /** How many ads have the rarest term of `query`, roughly; absent if unknown. */
  queryAds?: number | undefined;
  /** The same of its second rarest term. */
  nextAds?: number | undefined;
  /** The same ads, best first, as tsqueries: an ad is of the first that it matches. */
  ranks?: readonly string[] | undefined;
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
  isSold?: true | undefined;
  hasPhotos?: true | undefined;
  /** Texts are folded (foldDetails). */
  details?: readonly DetailFilter[] | undefined;
  /** With a radius, a filter; the order by distance starts there too. */
  near?: Near | undefined;
}

export type Bindings = Record<string, string | number | readonly string[]>;

/** SQL of a filter's values: bindings of a list, or the jsonb of a saved search. */
interface Values {
  one: (name: string, type: 'text' | 'numeric' | 'smallint' | 'bigint') => string;
  /** Whether the column has one of several values. */
  hasOneOf: (column: string, name: string, type: 'text' | 'bigint') => string;
  /** The text of a tsquery. */
  query: () => string;
  /** A coordinate of `near`. */
  near: (name: 'x' | 'y' | 'z' | 'chord') => string;
}

const BOUND: Values = {
  one: (name, type) => `:${name}::${type}`,
  hasOneOf: (column, name, type) => `${column} = any(:${name}::${type}[])`,
  // the subselect hides the words from the planner, which would otherwise plan each search separately
  query: () => '(select :query::tsquery)',
  near: (name) => `:${name}::float8`,
};

const inJson = (json: string): Values => ({
  one: (name, type) => `(${json}->>'${name}')::${type}`,
  hasOneOf: (column, name) => `jsonb_exists(${json}->'${name}', ${column}::text)`,
  query: () => `(${json}->>'query')::tsquery`,
  near: (name) => `(${json}->'near'->>'${name}')::float8`,
});

/** What a filter requires of a row of listed_ads, apart from details. */
interface Filter<Value> {
  sql: (values: Values) => string;
  bindings?: (value: Value) => Bindings;
  /**
   * Facets (ad_facets) of which the row has at least one; the index of words finds them, so that a rare one needs no walk.
   * They may be wider than `sql`, which is always checked.
   */
  anyOf?: (value: Value) => readonly string[];
  /** The same for a search in the index of words and facets, where no other index shall be used. */
  unindexed?: string;
  /** Nearly all ads meet it: it needs no index. */
  isLight?: true;
  /** The part of the value without which it requires nothing. */
  part?: keyof Value & string;
}

const price = (operator: '>=' | '<=', name: 'minPrice' | 'maxPrice'): Filter<string> => ({
  sql: ({ one }) => `price ${operator} ${one(name, 'numeric')}`,
  unindexed: `price + 0 ${operator} ${BOUND.one(name, 'numeric')}`,
  bindings: (value) => ({ [name]: value }),
});

type FilterName = Exclude<keyof ListFilter, 'details' | 'queryAds' | 'nextAds' | 'ranks'>;

/** One entry for each filter, for lists and saved searches. */
const FILTERS: { [Name in FilterName]-?: Filter<NonNullable<ListFilter[Name]>> } = {
  // btree_gin compares no mixed types and would not use the index without the cast
  categoryId: {
    sql: ({ one }) => `category_id = ${one('categoryId', 'smallint')}`,
    bindings: (categoryId) => ({ categoryId }),
  },
  minPrice: price('>=', 'minPrice'),
  maxPrice: price('<=', 'maxPrice'),
  query: {
    // what ad_words returns, for the ads that are compared one by one: a function would not be inlined
    sql: ({ query }) =>
      `coalesce((select terms from ad_terms where ad_id = l.id), (select tsv from ads where ads.id = l.id)) @@ ${query()}`,
    bindings: (query) => ({ query }),
  },
  // every listed ad is active
  state: { sql: ({ one }) => `${one('state', 'text')} = 'active'`, bindings: (state) => ({ state }) },
  userId: { sql: ({ one }) => `user_id = ${one('userId', 'bigint')}`, bindings: (userId) => ({ userId }) },
  notUserIds: {
    sql: ({ hasOneOf }) => `not ${hasOneOf('user_id', 'notUserIds', 'bigint')}`,
    bindings: (notUserIds) => ({ notUserIds }),
    isLight: true,
  },
  viewerId: {
    sql: ({ one }) =>
      `user_id <> all (array(select blocked_id from blocks where blocker_id = ${one('viewerId', 'bigint')}))`,
    bindings: (viewerId) => ({ viewerId }),
    isLight: true,
  },
  isSellerKept: {
    sql: () => 'user_id <> all (array(select id from users where ads_pending and deleted_at is not null))',
    isLight: true,
  },
  conditions: {
    sql: ({ hasOneOf }) => hasOneOf('condition', 'conditions', 'text'),
    bindings: (conditions) => ({ conditions }),
    anyOf: (conditions) => conditions.map((value) => `condition=${value}`),
  },
  priceTypes: {
    sql: ({ hasOneOf }) => hasOneOf('price_type', 'priceTypes', 'text'),
    bindings: (priceTypes) => ({ priceTypes }),
    anyOf: (priceTypes) => priceTypes.map((value) => `priceType=${value}`),
  },
  isUnsold: { sql: () => 'not is_sold', isLight: true },
  isSold: { sql: () => 'is_sold' },
  hasPhotos: { sql: () => 'has_photos', isLight: true },
  // a place without a radius only orders
  near: {
    part: 'chord',
    sql: ({ near }) =>
      `(x - ${near('x')}) ^ 2 + (y - ${near('y')}) ^ 2 + (z - ${near('z')}) ^ 2 <= ${near('chord')} ^ 2`,
    bindings: ({ x, y, z, chord = 0 }) => ({ x, y, z, chord }),
    anyOf: ({ cells }) => cells.map((cell) => `cell=${cell}`),
  },
};

/** The conditions of a filter by a detail; the arguments are SQL. Numbers are compared as numbers. */
const equals = (key: string, value: string) => `details ->> ${key} = ${value}`;
const isWithin = (key: string, min: string, max: string) =>
  `(details ->> ${key})::numeric between ${min}::numeric and ${max}::numeric`;

interface Requirement extends Pick<Filter<never>, 'unindexed' | 'isLight'> {
  sql: string;
  bindings?: Bindings;
  anyOf?: readonly string[];
}

/** One filter by a detail. */
const ofDetail = (filter: DetailFilter, i: number): Requirement[] => {
  const { key, value, min, max } = filter;
  const isRange = min !== undefined || max !== undefined;
  const equal: Requirement = {
    sql: equals(`:detail${i}`, `:equal${i}`),
    bindings: { [`detail${i}`]: key, [`equal${i}`]: String(value) },
    anyOf: [`d.${key}=${value}`],
  };
  const range: Requirement = {
    sql: isWithin(`:detail${i}`, `:from${i}`, `:to${i}`),
    bindings: {
      [`detail${i}`]: key,
      [`from${i}`]: String(min ?? 0),
      [`to${i}`]: String(max ?? Number.MAX_SAFE_INTEGER),
    },
    anyOf: listNumberTokens(filter).map((token) => `d.${key}${token}`),
  };
  return [...(value === undefined ? [] : [equal]), ...(isRange ? [range] : [])];
};

const requireOf = <Value>(filter: Filter<Value>, value: Value): Requirement => ({
  ...filter,
  sql: filter.sql(BOUND),
  bindings: filter.bindings?.(value) ?? {},
  anyOf: filter.anyOf?.(value) ?? [],
});

/** A list too long costs more than it saves. */
const MOST_FACETS = 400;

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

const isFilter = (name: string): name is keyof typeof FILTERS => Object.hasOwn(FILTERS, name);

const listRequired = (name: string, value: unknown): GivenFilter[] => {
  if (name === 'details')
    return (value as DetailFilter[]).flatMap(ofDetail).map((requirement) => ({ name, ...requirement }));
  if (!isFilter(name)) return [];
  const filter = FILTERS[name] as Filter<never>;
  const isWhole = filter.part === undefined || isGiven((value as Record<string, unknown>)[filter.part]);
  return isWhole ? [{ name, ...requireOf(filter, value as never) }] : [];
};

export const listGiven = (filter: ListFilter): GivenFilter[] =>
  Object.entries(closeRange(filter))
    .filter(([, value]) => isGiven(value))
    .flatMap(([name, value]) => listRequired(name, value));

/**
 * The index has the step of an ad's price, with each word (ad_priced_words) and alone (ad_facets): so many steps to each power of e.
 * With more than `most` in a range it would look up more than it saves.
 */
const PRICE_STEPS = { withWord: { perPower: 3, most: 6 }, alone: { perPower: 8, most: 16 } };

const listPriceSteps = (filter: ListFilter, { perPower, most }: { perPower: number; most: number }) => {
  const { minPrice, maxPrice } = closeRange(filter);
  if (!minPrice || !maxPrice) return undefined;
  const steps = listSteps(Number(minPrice), Number(maxPrice), perPower);
  return steps.length > most ? undefined : steps;
};

/** Each word with each step of the price range, as the index has them; undefined for a wide range. */
export const addPriceSteps = (filter: ListFilter, words: readonly string[]): string[] | undefined => {
  const steps = listPriceSteps(filter, PRICE_STEPS.withWord);
  return steps && words.flatMap((word) => steps.map((step) => `${word}~${step}`));
};

/** The facets of a price range; undefined for a wide one. */
export const listPriceFacets = (filter: ListFilter): string[] | undefined =>
  listPriceSteps(filter, PRICE_STEPS.alone)?.map((step) => `price~${step}`);

export const join = (conditions: readonly (string | false)[]): string =>
  conditions.filter((condition) => condition !== false && condition !== '').join(' and ') || 'true';

export const isPrice = ({ name }: GivenFilter): boolean => name === 'minPrice' || name === 'maxPrice';

/** Facets for the index, and their bindings. */
export const listFacets = (given: readonly GivenFilter[]): { sql: string[]; bindings: Bindings } => {
  const groups = given.flatMap(({ anyOf = [] }) => (anyOf.length > 0 && anyOf.length <= MOST_FACETS ? [anyOf] : []));
  return {
    sql: groups.map((_, i) => hasFacet(`:facets${i}`)),
    bindings: Object.fromEntries(groups.map((tokens, i) => [`facets${i}`, tokens])),
  };
};

/** The condition for the index that a row has one of these facets. `facets`: SQL of an array. */
export const hasFacet = (facets: string): string =>
  `ad_facets(price, condition, price_type, cell, details) && (select ${facets}::text[])`;

/** The condition that the row `l` of listed_ads matches a stored filter. `stored`: SQL of a ListFilter as jsonb. */
export const matchStored = (stored: string): string => {
  const values = inJson(stored);
  const conditions = Object.entries<Filter<never>>(FILTERS).map(([name, { sql, part }]) => {
    const path = part === undefined ? `->>'${name}'` : `->'${name}'->>'${part}'`;
    return `(${stored}${path} is null or ${sql(values)})`;
  });
  const details = `(${stored}->>'details' is null or not exists (
    select from jsonb_to_recordset(${stored}->'details') d (key text, value text, min numeric, max numeric)
    where ((d.value is null or ${equals('d.key', 'd.value')})
      and (d.min is null or ${isWithin('d.key', 'd.min', 'd.max')})) is not true
  ))`;
  return [...conditions, details].join(' and ');
};
