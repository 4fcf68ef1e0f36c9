import type { Sort } from '../../../../contract/filters.ts';
import { type BestCursor, selectBest } from './best-order.ts';
import { type Bindings, type GivenFilter, type ListFilter, listGiven } from './filters.ts';
import { type Cursor, type ListOrder, ORDERS } from './orders.ts';
import { type Plan, RARE, selectCount, selectListed, toPlan } from './query-builder.ts';

const isNarrowing = ({ name }: GivenFilter): boolean => name !== 'categoryId' && name !== 'isUnsold';

export const isCountedByCategory = (filter: ListFilter, sort: Sort = 'newest'): boolean =>
  sort !== 'nearest' && !listGiven(filter).some(isNarrowing);

export interface ListStatement {
  sql: string;
  bindings: Bindings;
  /** One of few variants, worth preparing. */
  isUsual: boolean;
}

/** Lists with these filters, and one other at most, are worth preparing. */
const USUAL: ReadonlySet<keyof ListFilter> = new Set([
  ...(['categoryId', 'minPrice', 'maxPrice', 'query', 'near', 'isUnsold', 'isSold'] as const),
  ...(['state', 'userId', 'notUserIds', 'viewerId', 'isSellerKept'] as const),
]);

const isUsual = ({ given }: Plan): boolean => given.filter(({ name }) => !USUAL.has(name)).length < 2;

const rareForTotal = ({ given }: Plan): number =>
  given.every(({ name, isLight }) => name === 'query' || isLight === true) ? RARE.totalOfWord : RARE.total;

/** `ids`: a set of ids, in order. */
const selectChords = (
  ids: string,
): string => `select string_agg(coalesce((${ORDERS.nearest.key})::text, ''), ',' order by place)
    from ${ids} with ordinality page (id, place)
    join listed_ads l on l.id = page.id left join ad_places p on p.place_id = l.place_id`;

/**
 * A page of listed ads behind the cursor, as one row: `ids`, comma-separated, one more than `pageSize` if there are more;
 * `key`, what orders the last ad of the page; `chords`, the distances of its ads if the list has a place; `total`, the
 * number of matches up to one more than the cap, on a first page only. Without a filter or by category alone, counters
 * provide the exact total.
 */
export const buildPageStatement = (
  filter: ListFilter,
  sort: ListOrder,
  cursor: Cursor | null,
  pageSize: number,
): ListStatement => {
  const plan = toPlan(filter, sort, cursor);
  const isFirst = cursor === null;
  const isCounted = isFirst && !isCountedByCategory(filter, sort);
  const rare = isCounted ? rareForTotal(plan) : RARE.page;
  const { ctes, sql, bindings } = selectListed(plan, !isFirst, pageSize + 1, rare);
  const { categoryId } = filter;
  const counter = filter.isUnsold ? 'unsold' : 'listed';
  const isKey = categoryId === undefined ? `like '${counter}:%'` : '= :counter';
  const sumOfCounters = `select coalesce(sum(value), 0) from counter_totals where key ${isKey}`;
  const total = isCounted ? selectCount(plan, pageSize) : isFirst ? sumOfCounters : 'select null';
  const key = `select ${plan.order.key} from ${plan.order.from('listed_ads')} where l.id = ids[${pageSize}]`;
  return {
    // ids as a string: pg parses an array more slowly than the rest of the row
    sql: `with ${ctes} page as materialized (select array(${sql}) as ids)
      select array_to_string(ids, ',') as ids, (${total}) as total${sort === 'newest' ? '' : `, (${key})::text as key`}${
        filter.near ? `, (${selectChords('unnest(ids)')}) as chords` : ''
      } from page`,
    bindings:
      total === sumOfCounters && categoryId !== undefined
        ? { ...bindings, counter: `${counter}:${categoryId}` }
        : bindings,
    isUsual: isUsual(plan),
  };
};

/**
 * A page of a search, best match first, as one row: `keys`, the cursors of its ads, comma-separated, one more than
 * `pageSize` if there are more; `chords` and `total` as of other orders.
 */
export const buildBestStatement = (filter: ListFilter, cursor: BestCursor | null, pageSize: number): ListStatement => {
  const plan = toPlan(filter, 'price_asc', null);
  const counted = cursor === null ? selectListed(plan, false, pageSize + 1, rareForTotal(plan)) : undefined;
  const best = selectBest(filter, plan.indexRest, {
    cursor,
    limit: pageSize + 1,
    hasFew: counted !== undefined,
    isOneWord: filter.nextAds === undefined && !plan.isScoped && !plan.isPriced,
  });
  const total = counted ? selectCount(plan, pageSize) : 'select null';
  return {
    sql: `with ${counted?.ctes ?? ''} ${best.ctes} page as materialized (select array(${best.sql}) as ids)
      select array_to_string(ids, ',') as keys, (${total}) as total${
        filter.near
          ? `, (${selectChords("unnest(array(select split_part(key, '_', 2)::bigint from unnest(ids) key))")}) as chords`
          : ''
      } from page`,
    bindings: { ...plan.bindings, ...counted?.bindings, ...best.bindings },
    isUsual: isUsual(plan) && cursor === null,
  };
};
