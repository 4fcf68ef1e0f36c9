import type { PriceType } from '../../../contract/prices.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { PublishedAd } from '../ads/publications-repository.ts';
import type { FanOutProgress } from '../notifications/fan-outs-repository.ts';
import { selectShutOut } from '../users/repository.ts';

export interface DueAnnouncement {
  subjectId: string;
  dueAt: Date;
}

const DUE_AT = "greatest(now(), a.finished_at + interval '1 hour') as due_at";
const toDue = (row: { seller_id: string; due_at: string }): DueAnnouncement => ({
  subjectId: row.seller_id,
  dueAt: new Date(row.due_at),
});

/**
 * Remembers new ads whose sellers have followers, each ad once. Returns when these sellers' next announcements may
 * begin. Locks the sellers first: users before ads.
 */
export const insertAdsToAnnounce = async (trx: Trx, ads: readonly PublishedAd[]): Promise<DueAnnouncement[]> => {
  const { rows } = await trx.raw<{ rows: Parameters<typeof toDue>[0][] }>(
    `with sellers as materialized (
       select u.id from users u
       where u.id = any(:sellerIds::bigint[]) and exists (select from follows f where f.seller_id = u.id)
       order by u.id for key share
     ), added as (
       insert into ads_to_announce (ad_id, seller_id)
       select ad_id, s.id from unnest(:adIds::bigint[], :sellerIds::bigint[]) as new (ad_id, seller_id)
         join sellers s on s.id = new.seller_id
       -- ads of a file tell no follower: there may be thousands
       where not exists (select from imported_ads i where i.ad_id = new.ad_id)
       order by ad_id on conflict do nothing returning seller_id
     )
     select distinct added.seller_id, ${DUE_AT} from added left join announcements a using (seller_id)`,
    { adIds: ads.map(({ id }) => id), sellerIds: ads.map((ad) => ad.user_id) },
  );
  return rows.map(toDue);
};

/** Announcements that wait. */
export const listDueAnnouncements = async (db: Db): Promise<DueAnnouncement[]> => {
  const { rows } = await db.raw<{ rows: Parameters<typeof toDue>[0][] }>(
    `select distinct seller_id, ${DUE_AT} from ads_to_announce left join announcements a using (seller_id)`,
  );
  return rows.map(toDue);
};

interface AnnouncementState {
  delivered_to: string | null;
  begun_at: string | null;
  waits: boolean | null;
  due_at: string;
}

/**
 * Begins the next announcement of this seller. `finished_at` is also when one begins: then the previous release waits for
 * it, too.
 */
export const beginAnnouncement = async (
  trx: Trx,
  sellerId: string,
): Promise<'begun' | FanOutProgress | Date | undefined> => {
  const ads = () => trx('ads_to_announce').where({ seller_id: sellerId });
  if (!(await ads().first('ad_id'))) return undefined;
  await trx('announcements').insert({ seller_id: sellerId }).onConflict().ignore();
  const own = () => trx('announcements as a').where({ seller_id: sellerId });
  const state: AnnouncementState | undefined = await own()
    .forUpdate()
    .first('delivered_to', 'begun_at', trx.raw("a.finished_at + interval '1 hour' > now() as waits"), trx.raw(DUE_AT));
  if (state === undefined) return undefined;
  const { delivered_to, begun_at, waits, due_at } = state;
  const finished_at = trx.raw('clock_timestamp()');
  if (delivered_to !== null) {
    await own().update({ delivered_to: null, finished_at });
    return { delivered_to, begun_at: begun_at! };
  }
  if (!(await ads().where({ is_begun: false }).first('ad_id'))) return undefined;
  if (waits) return new Date(due_at);
  await ads().update({ is_begun: true });
  await own().update({ finished_at });
  return 'begun';
};

/** The next people who followed this seller before the announcement began, in order of id. */
export const listNextFollowers = (
  db: Db,
  sellerId: string,
  { delivered_to, begun_at }: FanOutProgress,
  limit: number,
): Promise<string[]> =>
  db('follows as f')
    .join('users as u', 'u.id', 'f.follower_id')
    .where('f.seller_id', sellerId)
    .where('f.follower_id', '>', delivered_to)
    .where('f.created_at', '<=', begun_at)
    .whereRaw(`not ${selectShutOut('u')}`)
    .orderBy('f.follower_id')
    .limit(limit)
    .pluck('f.follower_id');

export interface AnnouncedAds {
  seller: { username: string; display_name: string };
  /** How many ads are public and unsold. */
  count: number;
  /** The first ones. */
  ads: { id: string; title: string; price: string; priceType: PriceType }[];
}

const SHOWN_ADS = 3;

/** The ads of the running announcement that are public now; undefined if none is. */
export const readAnnouncedAds = async (db: Db, sellerId: string): Promise<AnnouncedAds | undefined> => {
  const { rows } = await db.raw<{
    rows: {
      count: number;
      id: string;
      title: string;
      price: string;
      priceType: PriceType;
      username: string;
      display_name: string;
    }[];
  }>(
    `select count(*) over ()::int as count, a.id, a.title, a.price, a.price_type as "priceType", u.username, u.display_name
     from ads_to_announce n join ads a on a.id = n.ad_id join users u on u.id = n.seller_id
     where n.seller_id = :sellerId and n.is_begun and a.listed and not a.is_sold
       and not ${selectShutOut('u')} and u.deleted_at is null
     order by a.id limit ${SHOWN_ADS}`,
    { sellerId },
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const { count, username, display_name } = first;
  return {
    count,
    seller: { username, display_name },
    ads: rows.map(({ id, title, price, priceType }) => ({ id, title, price, priceType })),
  };
};

export const finishAnnouncement = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx('ads_to_announce').where({ seller_id: sellerId, is_begun: true }).delete();
  await trx('announcements')
    .where({ seller_id: sellerId })
    .update({ finished_at: trx.raw('clock_timestamp()') });
};
