import type { Sort } from '../../../../contract/filters.ts';
import { type Bindings, join, type ListFilter } from './filters.ts';

/** The orders by one key of an ad. Best match has several (best-order.ts). */
export type ListOrder = Exclude<Sort, 'best'>;

/** Where a page begins: behind the ad with this id, whose price or chord is `key`. */
export interface Cursor {
  id: string;
  key?: string | undefined;
}

const CURSORS: Record<ListOrder, RegExp> = {
  newest: /^(?<id>[1-9]\d{0,18})$/,
  price_asc: /^(?<key>\d{1,10}(?:\.\d{1,3})?)_(?<id>[1-9]\d{0,18})$/,
  price_desc: /^(?<key>\d{1,10}(?:\.\d{1,3})?)_(?<id>[1-9]\d{0,18})$/,
  nearest: /^(?<key>\d(\.\d{1,20})?(e-\d{1,2})?)_(?<id>[1-9]\d{0,18})$/,
};

/** A cursor of this order; any other value starts at the first page. */
export const parseListCursor = (sort: ListOrder, cursor: string | undefined): Cursor | null => {
  const { id, key } = CURSORS[sort].exec(cursor ?? '')?.groups ?? {};
  return id !== undefined && BigInt(id) <= BigInt(MAX_ID) ? { id, key } : null;
};

export const formatListCursor = ({ id, key }: Cursor): string => (key ? `${key}_${id}` : id);

/** What filters and orders read of a row of listed_ads. */
export const COLUMNS = [
  ...['id', 'user_id', 'place_id', 'x', 'y', 'z', 'category_id', 'is_sold', 'has_photos'],
  ...['price', 'price_type', 'condition', 'details'],
]
  .map((name) => `l.${name}`)
  .join(', ');

/** The chord from the start of the list to the place `p`. */
const CHORD = 'p.position <-> :center::cube';

/** Whether the place `p` is within the radius. The first condition is for the index. */
export const WITHIN = `p.position <@ cube_enlarge(:center::cube, :chord::float8, 3) and ${CHORD} <= :chord::float8`;

interface Walk {
  /** Conditions on a row `l`. */
  match: string;
  hasCursor: boolean;
  hasRadius: boolean;
  limit: number;
}

/** One order of a list. Ties are newest first. A row of listed_ads is always `l`. */
export interface Order {
  /** What orders the rows, before their id. */
  key: string;
  /** The columns of `l` that the key needs. */
  columns: readonly string[];
  /** `listed_ads l`, or another source of its rows, with what `key` needs. */
  from(rows: string): string;
  by: string;
  /** The same order, which no index has: the planner shall not walk where only few rows match. */
  sortBy: string;
  behind(key: string, id: string): string;
  /** The first `limit` matching rows with their `key`, from the order's own index. */
  walk(walk: Walk): string;
  /** The filters that this index narrows. */
  scope: readonly (keyof ListFilter)[];
}

const walkIndex = (key: string, by: string, match: string, limit: number): string =>
  `select ${COLUMNS}, ${key} as key from listed_ads l where ${match} order by ${by} limit ${limit}`;

const asIs = (rows: string): string => `${rows} l`;

export const MAX_ID = '9223372036854775807';
const CURSOR_KEY = { price: ':cursorKey::numeric', chord: ':cursorKey::float8' };

export const ORDERS: Record<ListOrder, Order> = {
  newest: {
    key: 'null::numeric',
    columns: [],
    from: asIs,
    by: 'l.id desc',
    sortBy: 'l.id + 0 desc',
    behind: (_, id) => `l.id + 0 < ${id}`,
    walk: ({ match, hasCursor, limit }) =>
      walkIndex('null::numeric', 'l.id desc', join([match, hasCursor && 'l.id < :cursor::bigint']), limit),
    scope: ['categoryId'],
  },
  price_asc: {
    key: 'l.price',
    columns: ['price'],
    from: asIs,
    by: 'l.price, l.id desc',
    sortBy: 'l.price + 0, l.id + 0 desc',
    behind: (key, id) => `(l.price > ${key} or (l.price = ${key} and l.id < ${id}))`,
    // two ranges of the index: the rest of the ads with the price of the cursor, then higher prices
    walk: ({ match, hasCursor, limit }) => {
      const select = (behind: string) => walkIndex('l.price', 'l.price, l.id desc', join([match, behind]), limit);
      if (!hasCursor) return select('');
      return `(${select(`l.price = ${CURSOR_KEY.price} and l.id < :cursor::bigint`)})
        union all (${select(`l.price > ${CURSOR_KEY.price}`)}) limit ${limit}`;
    },
    scope: ['categoryId', 'minPrice', 'maxPrice'],
  },
  price_desc: {
    key: 'l.price',
    columns: ['price'],
    from: asIs,
    by: 'l.price desc, l.id desc',
    sortBy: 'l.price + 0 desc, l.id + 0 desc',
    behind: (key, id) => `(l.price < ${key} or (l.price = ${key} and l.id < ${id}))`,
    walk: ({ match, hasCursor, limit }) =>
      walkIndex(
        'l.price',
        'l.price desc, l.id desc',
        join([match, hasCursor && `(l.price, l.id) < (${CURSOR_KEY.price}, :cursor::bigint)`]),
        limit,
      ),
    scope: ['categoryId', 'minPrice', 'maxPrice'],
  },
  nearest: {
    key: CHORD,
    columns: ['place_id'],
    from: (rows) => `${rows} l join ad_places p on p.place_id = l.place_id`,
    by: `${CHORD}, l.id desc`,
    sortBy: `(${CHORD}) + 0, l.id + 0 desc`,
    behind: (key, id) => `(${CHORD} > ${key} or (${CHORD} = ${key} and l.id < ${id}))`,
    // place after place, the nearest first; a second `:center` would be another parameter, and so another order
    walk: ({ match, hasCursor, hasRadius, limit }) => {
      const behind = `l.id < case when p.key = ${CURSOR_KEY.chord} then :cursor::bigint else ${MAX_ID} end`;
      return `select found.*, p.key from (
          select place_id, ${CHORD} as key from ad_places p
          where ${join([hasRadius && WITHIN, hasCursor && `${CHORD} >= ${CURSOR_KEY.chord}`])} order by key
        ) p cross join lateral (
          select ${COLUMNS} from listed_ads l
          where ${join(['l.place_id = p.place_id', match, hasCursor && behind])} order by l.id desc limit ${limit}
        ) found order by p.key, found.id desc limit ${limit}`;
    },
    scope: ['categoryId', 'near'],
  },
};

export const bindOrder = (cursor: Cursor | null, { near }: ListFilter): Bindings => ({
  ...(cursor && { cursor: cursor.id }),
  ...(cursor?.key !== undefined && { cursorKey: cursor.key }),
  ...(near && { center: `(${near.x},${near.y},${near.z})` }),
});
