import { LIMITS } from '../../../contract/limits.ts';
import { getMoney } from '../../../contract/money.ts';
import { deleteInBatches } from '../../db/bulk.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { FanOutProgress } from '../notifications/fan-outs-repository.ts';
import { selectShutOut } from '../users/repository.ts';

/** How long a drop is shown. */
const SHOWN_DAYS = 14;
/** A drop is a price of at most this share of the lowest one. */
const PERCENT = 95;
const HOURS_BETWEEN_NOTIFICATIONS = 24;

/** The ad of this alias has its drop in `pd`, while it is shown. */
export const joinPriceDrops = (ad: string): string =>
  `left join price_drops pd on pd.ad_id = ${ad}.id and pd.dropped_at > now() - interval '${SHOWN_DAYS} days'`;

export const insertFormerPrice = async (trx: Trx, adId: string, price: string): Promise<void> => {
  await trx('ad_prices').insert({ ad_id: adId, price });
};

const NEXT = `finished_at + interval '${HOURS_BETWEEN_NOTIFICATIONS} hours'`;
const DUE_AT = `greatest(now(), ${NEXT}) as due_at`;

export interface DueDrop {
  subjectId: string;
  dueAt: Date;
}

interface DropTime {
  ad_id: string;
  due_at: string;
}

const toDue = ({ ad_id, due_at }: DropTime): DueDrop => ({ subjectId: ad_id, dueAt: new Date(due_at) });

/**
 * Begins a drop if the new price is low enough: at most 95 % of the lowest price that was in effect in the last 30 days.
 * Call it after the former price is inserted. Returns when the people who saved the ad may be notified about the drop.
 */
export const beginPriceDrop = async (trx: Trx, adId: string, price: string): Promise<DueDrop | undefined> => {
  const { rows } = await trx.raw<{ rows: DropTime[] }>(
    `insert into price_drops as d (ad_id, old_price, dropped_at, is_new)
     select :adId, lowest, clock_timestamp(), true
     from (select min(price) as lowest from ad_prices
       where ad_id = :adId and ended_at > now() - interval '${LIMITS.formerPriceDays} days') former
     where lowest > 0 and :price::numeric * 100 <= lowest * ${PERCENT}
     on conflict (ad_id) do update
       set old_price = excluded.old_price, dropped_at = excluded.dropped_at, is_new = true
     returning ad_id, ${DUE_AT}`,
    { adId, price },
  );
  return rows.map(toDue)[0];
};

export const endPriceDrop = async (trx: Trx, adId: string): Promise<void> => {
  await trx('price_drops').where({ ad_id: adId }).update({ old_price: null, dropped_at: null, is_new: false });
};

/** New drops, of all ads or of one. */
export const listDueDrops = async (db: Db, adId?: string): Promise<DueDrop[]> => {
  const rows: DropTime[] = await db('price_drops')
    .where({ is_new: true, ...(adId !== undefined && { ad_id: adId }) })
    .select('ad_id', db.raw(DUE_AT));
  return rows.map(toDue);
};

interface NextDrop {
  is_new: boolean;
  /** The ad waits for review or is paused. */
  is_hidden: boolean;
  /** Of a fan-out that the previous release began. */
  delivered_to: string | null;
  begun_at: string | null;
  next: string | null;
  waits: boolean | null;
}

/**
 * Takes the ad's new drop, to notify about it. Returns when the next fan-out may begin; undefined if there is no new drop,
 * or if the ad waits for review or is paused: its drop stays new.
 */
export const takeNewDrop = async (trx: Trx, adId: string): Promise<'begun' | FanOutProgress | Date | undefined> => {
  const own = () => trx('price_drops').where({ ad_id: adId });
  const drop: NextDrop | undefined = await own()
    .forUpdate()
    .first(
      'is_new',
      'delivered_to',
      'begun_at',
      trx.raw(`${NEXT} as next, ${NEXT} > now() as waits,
        (select state in ('pending', 'paused') from ads where id = price_drops.ad_id) as is_hidden`),
    );
  if (drop === undefined) return undefined;
  if (drop.delivered_to !== null) {
    await own().update({ delivered_to: null });
    return { delivered_to: drop.delivered_to, begun_at: drop.begun_at! };
  }
  if (!drop.is_new || drop.is_hidden) return undefined;
  if (drop.waits) return new Date(drop.next!);
  await own().update({ is_new: false });
  return 'begun';
};

/** The next people who had saved the ad when the fan-out began, in order of id. */
export const listNextSavers = (
  db: Db,
  adId: string,
  { delivered_to, begun_at }: FanOutProgress,
  limit: number,
): Promise<string[]> =>
  db('favorites as f')
    .join('users as u', 'u.id', 'f.user_id')
    .where('f.ad_id', adId)
    .where('f.user_id', '>', delivered_to)
    .where('f.created_at', '<=', begun_at)
    .whereRaw(`not ${selectShutOut('u')}`)
    .orderBy('f.user_id')
    .limit(limit)
    .pluck('f.user_id');

/** The people who would be notified of a drop; counting stops at `atMost`. */
export const countSavers = (db: Db, adId: string, atMost: number): Promise<number> => {
  const savers = db('favorites as f')
    .join('users as u', 'u.id', 'f.user_id')
    .where('f.ad_id', adId)
    .whereRaw(`not ${selectShutOut('u')}`);
  return countRows(db.queryBuilder().from(savers.select('f.id').limit(atMost).as('savers')));
};

/** The highest price that would begin a drop of this ad, which costs `price` now. */
export const findDropPrice = async (db: Db, adId: string, price: string): Promise<string> => {
  const { rows } = await db.raw<{ rows: { price: string }[] }>(
    `select trunc(least(min(price), :price::numeric) * ${PERCENT} / 100, :decimals::int) as price from ad_prices
     where ad_id = :adId and ended_at > now() - interval '${LIMITS.formerPriceDays} days'`,
    { adId, price, decimals: getMoney().currency.decimals },
  );
  return rows[0]!.price;
};

const COMPARED = 500;
const LEAST_COMPARED = 20;

/** The median price of a category, or of all, by its newest ads; null if there are too few to say. */
export const findMedianPrice = async (db: Db, categoryId?: number): Promise<number | null> => {
  const [row] = await queryPrepared<{ median: string | null; ads: number }>(
    db,
    `select percentile_disc(0.5) within group (order by price) as median, count(*)::int as ads from (
       select price from listed_ads ${categoryId === undefined ? '' : 'where category_id = :categoryId'}
       order by id desc limit ${COMPARED}) newest
     where price > 0`,
    categoryId === undefined ? {} : { categoryId },
  );
  return row && row.ads >= LEAST_COMPARED ? Number(row.median) : null;
};

/** The next drop waits for a day. */
export const recordNotified = async (trx: Trx, adId: string): Promise<void> => {
  await trx('price_drops')
    .where({ ad_id: adId })
    .update({ finished_at: trx.raw('clock_timestamp()') });
};

/** Deletes former prices that decide nothing any more, and drops that are no longer shown. */
export const deleteOldPrices = async (db: Db): Promise<void> => {
  await deleteInBatches(db, 'ad_prices', `ended_at < now() - interval '${LIMITS.formerPriceDays} days'`);
  await deleteInBatches(
    db,
    'price_drops',
    `delivered_to is null
     and coalesce(dropped_at, '-infinity') < now() - interval '${SHOWN_DAYS} days'
     and coalesce(${NEXT}, '-infinity') < now()`,
  );
};
