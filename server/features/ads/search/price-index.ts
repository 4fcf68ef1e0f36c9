import { LIMITS } from '../../../../contract/limits.ts';
import { parseCursor, toPage } from '../../../db/pagination.ts';
import type { Db } from '../../../db/pools.ts';
import { queryPrepared } from '../../../db/prepared.ts';
import type { ListFilter } from './query-builder.ts';
import { capTotal, type FoundPage, type PageRequest } from './repository.ts';

/** Ids and prices of the newest public ads, of one category or of all: what pages by price can be found in. */
export interface PriceIndex {
  /** Newest first. */
  ids: BigInt64Array;
  prices: Float64Array;
  /** There are no older ones. */
  isWhole: boolean;
}

/** Of a million ads they hold page and total of 19 in 20 price ranges below $750; reading them costs as much as some sixty lists. */
const NEWEST = 20_000;

interface LessonRow {
  ids: Buffer | null;
  prices: Buffer | null;
}

/** Copied, because a typed array wants its bytes at a multiple of eight; Postgres sends the highest byte first. */
const turnBytes = (bytes: Buffer | null): ArrayBuffer => {
  const copy = Buffer.from(new Uint8Array(bytes ?? []).buffer);
  copy.swap64();
  return copy.buffer;
};

/** Reads the newest `size` public ads; as bytes, because parsing as many decimal numbers took eight times as long. */
export const readPriceIndex = async (db: Db, categoryId?: number, size = NEWEST): Promise<PriceIndex> => {
  const scope = categoryId === undefined ? '' : 'and category_id = :categoryId::smallint';
  const [row] = (await queryPrepared<LessonRow>(
    db,
    `select string_agg(int8send(id), '') as ids, string_agg(float8send(price::float8), '') as prices
     from (select id, price from ads where listed ${scope} order by id desc limit :size) newest`,
    { size, ...(categoryId !== undefined && { categoryId }) },
  )) as [LessonRow];
  const ids = new BigInt64Array(turnBytes(row.ids));
  return { ids, prices: new Float64Array(turnBytes(row.prices)), isWhole: ids.length < size };
};

/**
 * The page that findPage would find; undefined where it may need ads older than these. Prices have ten digits at most,
 * so that as binary numbers they compare as they do in Postgres.
 */
export const findPageIn = (
  { ids, prices, isWhole }: PriceIndex,
  filter: ListFilter,
  { cursor, limit = LIMITS.pageSize }: PageRequest = {},
): FoundPage | undefined => {
  const from = parseCursor(cursor);
  const below = from === null ? undefined : BigInt(from);
  const [low, high] = [Number(filter.minPrice || 0), Number(filter.maxPrice || LIMITS.price)];
  // a first page needs its total, any other only itself
  const enough = below === undefined ? LIMITS.countCap + 1 : limit + 1;
  const found: string[] = [];
  let matches = 0;
  for (let i = 0; i < prices.length && matches < enough; i++) {
    const price = prices[i]!;
    if (price < low || price > high || (below !== undefined && ids[i]! >= below)) continue;
    matches++;
    if (found.length <= limit) found.push(String(ids[i]));
  }
  if (matches < enough && !isWhole) return undefined;
  const { rows, nextCursor } = toPage(found, limit, (id) => id);
  return { ids: rows, nextCursor, ...(below === undefined && { total: capTotal(matches) }) };
};
