import * as z from 'zod/mini';
import { readAmount } from './amount.ts';
import { CONDITIONS } from './conditions.ts';
import { formatDistance } from './distance.ts';
import { labels, t } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { formatPrice } from './money.ts';
import { PRICE_TYPES } from './prices.ts';
import { type Says, says, saysTooLong } from './says.ts';
import { Cursor, Id, PageSize, PriceBound } from './scalars.ts';

/** Ads with the same price or distance: newest first. */
export const SORTS = labels({
  best: 'list.sort_best',
  newest: 'list.sort_newest',
  price_asc: 'list.sort_price_asc',
  price_desc: 'list.sort_price_desc',
  nearest: 'list.sort_nearest',
});
export type Sort = keyof typeof SORTS;

/** In the unit of the setting `distanceUnit`. */
export const RADIUSES = ['10', '25', '50', '100', '250'] as const;

/** Kinds of price as filters. */
export const PRICE_TYPE_FILTERS = labels({
  fixed: 'list.price_fixed',
  negotiable: 'list.priceFilter_negotiable',
  free: 'list.price_free',
  wanted: 'list.price_wanted',
});

/** A parameter of a list. The empty string means no filter. */
const param = <Value extends string>(values: readonly Value[], message: Says) =>
  z.optional(
    z.pipe(
      z.string().check(
        z.refine((value) => value === '' || values.includes(value as Value), {
          ...message,
          params: { json: { enum: ['', ...values] } },
        }),
      ),
      z.transform((value: string) => (value === '' ? undefined : (value as Value))),
    ),
  );

const readList = (given: string | string[]): string[] => [given].flat().join().split(',').filter(Boolean);

/** Several values: separated by commas, or the parameter repeated. */
const params = <Value extends string>(values: readonly Value[], message: Says) => {
  const list = z.string().check(z.regex(new RegExp(`^(((${values.join('|')})(,|$))|,)*$`)));
  return z.optional(
    z.pipe(
      z.union([list, z.array(list)], message),
      z.transform((given: string | string[]) => [...new Set(readList(given))] as Value[]),
    ),
  );
};

const toggle = z.pipe(
  param(['true', 'false'], says('fields.trueOrFalse')),
  z.transform((value: 'true' | 'false' | undefined) => value === 'true'),
);

const keysOf = <Key extends string>(record: Record<Key, string>): Key[] => Object.keys(record) as Key[];

/** What the category and the place of filters are called. */
export interface FilterNames {
  category?: string | undefined;
  place?: string | undefined;
}

interface Wording extends FilterNames {
  distanceUnit: string;
  radius?: string | undefined;
}

interface Filter {
  /** Of the parameter of the API. Builds for the browser leave it out (trimContract). */
  schema: z.ZodMiniType;
  /** Several values, in an address separated by commas; the parameter may also be repeated. */
  isSeveral?: true;
  /** What an address says for what a person wrote. */
  read?: (typed: string) => string;
  /** What it means, within a sentence. Without words it leaves no ad out. */
  words?: (value: string, wording: Wording) => string | false | undefined;
}

const listLabels =
  (labels: Partial<Record<string, string>>) =>
  (values: string): string =>
    values
      .split(',')
      .map((value) => labels[value] ?? value)
      .join(', ');

/**
 * One entry for each filter of a list, in the order of their words: as parameters of the API, in addresses of pages, on chips, and
 * in the names of saved searches. contract/attributes.ts has the filters by details.
 */
const FILTERS = {
  search: {
    schema: z.optional(z.string().check(z.maxLength(LIMITS.search, saysTooLong(LIMITS.search)))),
    words: (text) => t('list.quoted', { text }),
  },
  category: {
    schema: z.optional(z.string().check(z.maxLength(100))),
    words: (slug, { category = slug }) => category,
  },
  minPrice: { schema: PriceBound, read: readAmount, words: (price) => t('list.from', { price: formatPrice(price) }) },
  maxPrice: { schema: PriceBound, read: readAmount, words: (price) => t('list.upTo', { price: formatPrice(price) }) },
  priceType: {
    schema: params(keysOf(PRICE_TYPES), says('fields.unknownPriceType')),
    isSeveral: true,
    words: listLabels(PRICE_TYPE_FILTERS),
  },
  /** Id of a place. Without `radius` it filters nothing, but ads tell their distance. */
  near: {
    schema: z.pipe(
      z.optional(z.union([z.literal(''), Id], says('fields.unknownPlace'))),
      z.transform((id: string | undefined) => id || undefined),
    ),
    words: (_, { place = t('list.thisPlace'), radius, distanceUnit }) =>
      radius
        ? t('list.within', { distance: formatDistance(radius, distanceUnit), place })
        : t('list.distanceFrom', { place }),
  },
  /** Inclusive, between the centres of the cities, in the unit of the setting `distanceUnit`. */
  radius: {
    schema: z.pipe(
      param(RADIUSES, says('fields.oneOf', { values: RADIUSES.join(', ') })),
      z.transform((radius: (typeof RADIUSES)[number] | undefined) => radius && Number(radius)),
    ),
  },
  condition: {
    schema: params(keysOf(CONDITIONS), says('fields.unknownCondition')),
    isSeveral: true,
    words: listLabels(CONDITIONS),
  },
  /** They are hidden anyway: former addresses say so. */
  hideSold: { schema: toggle },
  /** Sold ads follow the others. */
  showSold: { schema: toggle, words: (value) => value === 'true' && t('list.showSold') },
  /** The words as they are typed, even if no ad has them. */
  exact: { schema: toggle },
  withPhotos: { schema: toggle, words: (value) => value === 'true' && t('list.withPhotos') },
  sort: { schema: param(keysOf(SORTS), says('fields.unknownOrder')) },
} as const satisfies Record<string, Filter>;
export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

const findFilter = (name: string): Filter | undefined => (FILTERS as Partial<Record<string, Filter>>)[name];

/** A filter by a detail: `d.size`, `d.year.min`, `d.year.max`; contract/attributes.ts has the keys. */
export type DetailFilterName = `d.${string}`;
export const isDetailFilter = (name: string): name is DetailFilterName => /^d\.[a-zA-Z]+(\.(min|max))?$/.test(name);

/** Filters as an address has them. */
export type Filters = Partial<Record<FilterName, string>> & Record<DetailFilterName, string>;

/** The filters in an address. */
export const readFilters = (query: URLSearchParams): Filters => {
  const names = [...FILTER_NAMES, ...new Set(query.keys().filter(isDetailFilter))].sort();
  return Object.fromEntries(
    names
      .map((name) => {
        const { isSeveral, read } = findFilter(name) ?? {};
        const values = query.getAll(name).map((value) => read?.(value) ?? value.trim());
        return [name, isSeveral ? values.join(',') : values[0]];
      })
      .filter(([, value]) => value),
  );
};

/**
 * The filters after these changes, without details of another category, distances to no place, and what was said of other
 * words.
 */
export const applyChanges = (filters: Filters, changes: Filters): Filters => {
  const next = { ...filters, ...changes };
  const isOtherCategory = changes.category !== undefined && changes.category !== (filters.category ?? '');
  const isDropped = (name: string) =>
    (isOtherCategory && name.startsWith('d.')) ||
    (!next.near && (name === 'radius' || (name === 'sort' && next.sort === 'nearest'))) ||
    (!next.search && name === 'sort' && next.sort === 'best') ||
    (name === 'exact' && changes.search !== undefined && changes.exact === undefined);
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => value && !isDropped(name)));
};

/** A letter, a digit or an emoji: nearly what the server's words (`splitUnits`) are made of. */
const IN_WORD = /[\p{L}\p{N}]|(?=\p{S})\p{Extended_Pictographic}|\p{RI}{2}/u;

/** The filters of what a page lists: these, but without a search that finds nothing because it has no word, such as "!!!". */
export const toListed = (filters: Filters): Filters =>
  IN_WORD.test(filters.search?.normalize('NFKC') ?? 'all') ? filters : applyChanges(filters, { search: '' });

/** The filters that leave ads out: not the order, and a place with its radius is one. */
export const listApplied = (filters: Filters): string[] =>
  Object.keys(filters).filter((name) => isDetailFilter(name) || findFilter(name)?.words);

export interface AppliedFilter {
  /** As within a sentence: "up to $300". */
  words: string;
  /** The changes that remove it. */
  without: Filters;
}

/** The filters in words, apart from details. */
export const describeFilters = (filters: Filters, names: FilterNames & { distanceUnit: string }): AppliedFilter[] =>
  FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    const words = value && findFilter(name)?.words?.(value, { ...names, radius: filters.radius });
    return words ? [{ words, without: { [name]: '' } }] : [];
  });

type Schemas = { [Name in FilterName]: (typeof FILTERS)[Name]['schema'] };
const SCHEMAS = Object.fromEntries(FILTER_NAMES.map((name) => [name, FILTERS[name].schema])) as Schemas;
const Parameters = z.extend(z.object(SCHEMAS), { cursor: z.optional(Cursor), limit: PageSize });
const AllParameters = z.catchall(Parameters, z.unknown());

/**
 * `d.{key}=`, `d.{key}.min=` and `d.{key}.max=` (inclusive) filter by a detail of the category; in the output they are
 * `details`, without "d.". Other unknown parameters are dropped.
 */
export const AdFilter = z.pipe(
  AllParameters,
  z.transform((given: z.output<typeof AllParameters>, context) => {
    const details = Object.entries(given).filter(([name, value]) => name.startsWith('d.') && value !== '');
    const bad = details.find(([, value]) => typeof value !== 'string' || value.length > LIMITS.detail);
    if (bad || details.length > LIMITS.details * 3)
      context.issues.push({
        code: 'custom',
        path: [bad?.[0] ?? 'd'],
        message: t('fields.unknownDetail'),
        input: bad?.[1],
      });
    const known = Object.entries(given).filter(([name]) => Object.hasOwn(Parameters.shape, name));
    return {
      ...(Object.fromEntries(known) as z.output<typeof Parameters>),
      details: Object.fromEntries(details.map(([name, value]) => [name.slice('d.'.length), String(value)])),
    };
  }),
);
export type AdFilter = z.output<typeof AdFilter>;
