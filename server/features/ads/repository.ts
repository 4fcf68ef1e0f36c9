import type { Knex } from 'knex';
import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import { countRows, type Db, getNow, type Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { isShutOut } from '../../policy.ts';
import { endOffersAndReservations } from '../deals/endings-repository.ts';
import { PUBLIC_USER_COLUMNS, type PublicUserRow, selectShutOut } from '../users/repository.ts';
import { AD_COLUMN_NAMES, TOMBSTONE } from './columns.ts';
import { moderate } from './moderation-states.ts';
import { joinPriceDrops } from './prices-repository.ts';

export const findAd = async (db: Db, id: string): Promise<AdDetails | undefined> => {
  const [ad] = await queryPrepared<AdDetails>(db, `${SELECT_ADS} where a.id = :id`, { id });
  return ad;
};

export const listAdsByIds = async (db: Db, ids: readonly string[]): Promise<AdDetails[]> => {
  if (ids.length === 0) return [];
  return queryPrepared(db, `${SELECT_ADS} where a.id = any(:ids::bigint[])`, { ids });
};

/** A seller's ads apart from deleted ones, in the order of their ids, after one of them. */
export const listAdsAfter = (db: Db, userId: string, after: string, limit: number): Promise<AdDetails[]> =>
  queryPrepared(
    db,
    `${SELECT_ADS} where a.user_id = :userId and a.state <> 'deleted' and a.id > :after order by a.id limit :limit`,
    { userId, after, limit },
  );

export interface SellerAdsFilter extends Paging {
  isPrivate: boolean;
  isSold?: boolean | undefined;
}

/**
 * A seller's ads, newest first. The public ones follow policy.isPublicAd: a sold ad stays after it has left the lists.
 */
export const listSellerAds = (
  db: Db,
  userId: string,
  { isPrivate, isSold, ...paging }: SellerAdsFilter,
): Promise<Page<AdDetails>> => {
  const sql = `${SELECT_ADS} where a.user_id = :userId and a.state <> 'deleted'
    ${isPrivate ? '' : `and a.state = 'active' and not ${selectShutOut('u')} and u.deleted_at is null`}
    ${isSold === undefined ? '' : 'and a.is_sold = :isSold'}`;
  return queryPage(db, [sql, { userId, isSold: isSold ?? false }], paging, { column: 'a.id' });
};

/** Locks the ad. Its state follows the time: an ad past its expiry is expired before the job has written that. */
export const lockAdForUpdate = async (trx: Trx, id: string): Promise<AdRow | undefined> => {
  const state = trx.raw('? as state', [stateByTime(trx, 'not is_sold')]);
  const rows: AdRow[] = await trx('ads').where({ id }).forUpdate().select('*', state);
  return rows[0];
};

/** Protects the ad from edits until the transaction ends; other transactions may share the lock. */
export const lockAdShared = async (trx: Trx, id: string): Promise<AdDetails | undefined> => {
  const [ad] = await queryPrepared<AdDetails>(trx, `${SELECT_ADS} where a.id = :id for share of a`, { id });
  return ad;
};

export const listAdImages = async (db: Db, adId: string): Promise<string[]> => {
  const rows = await db<{ ad_id: string; sha256: Buffer; position: number }>('ad_images')
    .where({ ad_id: adId })
    .orderBy('position')
    .select('sha256');
  return rows.map((row) => row.sha256.toString('hex'));
};

/** Which of the images the ads of this person show. They stay until the transaction ends. */
export const lockShownImages = async (trx: Trx, userId: string, sha256s: readonly string[]): Promise<string[]> => {
  if (sha256s.length === 0) return [];
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `select named.name from unnest(?::text[]) named (name) cross join lateral (
       select from ad_images i join ads a on a.id = i.ad_id
       where a.user_id = ? and i.sha256 = decode(named.name, 'hex') limit 1 for key share of i
     ) shown`,
    [[...sha256s], userId],
  );
  return rows.map(({ name }) => name);
};

export const replaceAdImages = async (
  trx: Trx,
  adId: string,
  sha256s: readonly string[],
  before: readonly string[],
): Promise<void> => {
  if (before.length > 0) await trx('ad_images').where({ ad_id: adId }).delete();
  const rows = sha256s.map((sha256, position) => ({ ad_id: adId, position, sha256: Buffer.from(sha256, 'hex') }));
  if (rows.length > 0) await trx('ad_images').insert(rows);
};

export const inDays = (trx: Trx, days: number | null) =>
  days === null ? null : trx.raw("now() + ? * interval '1 day'", [days]);

/** The state of an ad that is available again: an unsold one may have expired meanwhile. */
export const stateByTime = (trx: Trx, isUnsold: 'true' | 'not is_sold' = 'true') =>
  trx.raw(
    `case when state in ('active', 'paused') and ${isUnsold} and expires_at <= now() then 'expired' else state end`,
  );

export type AdValues = { [K in keyof Omit<AdRow, 'id' | 'listed'>]?: AdRow[K] | Knex.Raw };

export const insertAd = async (trx: Trx, values: AdValues): Promise<string> => {
  const [row] = await trx('ads').insert(values).returning<{ id: string }[]>('id');
  return row!.id;
};

export const updateOwnAd = async (trx: Trx, id: string, ownerId: string, values: AdValues): Promise<boolean> => {
  const changed = await trx('ads')
    .where({ id, user_id: ownerId })
    .whereNot({ state: 'deleted' })
    .update({ ...values, updated_at: trx.fn.now() });
  return changed === 1;
};

/** From now on the seller decides whether the ad is paused, and not the next file that they import. */
export const forgetPausedByFile = async (trx: Trx, id: string): Promise<void> => {
  await trx('imported_ads').where({ ad_id: id }).update({ is_missing: false, is_hidden: false });
};

/** Stops counting at `atMost`. */
export const countApprovedAds = (db: Db, userId: string, atMost: number): Promise<number> => {
  const approved = db('ads').where({ user_id: userId, is_approved: true }).whereNot({ state: 'deleted' });
  return countRows(db.queryBuilder().from(approved.select('id').limit(atMost).as('approved')));
};

interface AdImageJson {
  sha256: string;
  width: number;
  height: number;
  color: string;
}

type Prefixed<Row, Prefix extends string> = { [K in keyof Row & string as `${Prefix}${K}`]: Row[K] };
type Seller = Omit<PublicUserRow, 'id'> & Pick<UserRow, 'can_link_out'>;
/** For whom the ad is reserved. */
type Holder = Omit<PublicUserRow, 'id'>;

/** `u.username as seller_username, …`: what others may see of the user with this alias, apart from the id. */
const selectPerson = (alias: string, prefix: string): string =>
  PUBLIC_USER_COLUMNS.filter((name) => name !== 'id')
    .map((name) => `${alias}.${name} as ${prefix}${name}`)
    .join(', ');

export interface AdDetails extends AdRow, Prefixed<Seller, 'seller_'>, Prefixed<Holder, 'holder_'> {
  category: string;
  category_slug: string;
  images: AdImageJson[];
  views: string;
  /** The price before a drop that is still shown. */
  old_price: string | null;
  /** For whom the ad is reserved at the moment, and until when. `holder_…` is null while this is null. */
  reserved_for: string | null;
  reserved_until: string | null;
}

// Ban, suspension and deletion of the seller take effect immediately, while a job still changes the ads (updateSellerAds).
const EXPRESSIONS: Partial<Record<keyof AdRow, string>> = {
  state: "case when u.deleted_at is null then a.state else 'deleted' end as state",
  seller_banned: `${selectShutOut('u')} as seller_banned`,
};
const COLUMNS = AD_COLUMN_NAMES.map((name) => EXPRESSIONS[name] ?? `a.${name}`).join(', ');

const IMAGES = `coalesce((
  select json_agg(json_build_object('sha256', encode(i.sha256, 'hex'), 'width', i.width, 'height', i.height, 'color', i.color)
    order by ai.position)
  from ad_images ai join images i using (sha256) where ai.ad_id = a.id), '[]')`;

/** `select … from ads a …` as AdDetails; append conditions, order and limit. */
export const SELECT_ADS = `select ${COLUMNS},
  c.name as category, c.slug as category_slug, coalesce(v.views, 0) as views, ${IMAGES} as images,
  ${selectPerson('u', 'seller_')}, u.can_link_out as seller_can_link_out,
  case when not a.is_sold then pd.old_price end as old_price, r.user_id as reserved_for, r.ends_at as reserved_until,
  ${selectPerson('h', 'holder_')}
from ads a
join users u on u.id = a.user_id
join categories c on c.id = a.category_id
left join ad_views v on v.ad_id = a.id
left join reservations r on r.ad_id = a.id and r.ends_at > now()
left join users h on h.id = r.user_id
${joinPriceDrops('a')}`;

/** Approves the ad for `days` (null: forever). Only these approvals count towards the seller's trust. */
export const clearAd = async (trx: Trx, ad: AdRow, days: number | null): Promise<void> => {
  const wasOn = ad.state === 'paused' || (ad.state === 'active' && ad.listed);
  await trx('ads')
    .where({ id: ad.id })
    .update({
      moderation: moderate(ad.moderation, 'approve'),
      state: 'active',
      state_reason: null,
      state_reason_code: null,
      is_approved: true,
      updated_at: trx.fn.now(),
      ...(!wasOn && { expires_at: inDays(trx, days) }),
    });
};

/** Takes the ad down. The owner reads the reason: the words of staff, or else those of its code. */
export const takeDownAd = async (
  trx: Trx,
  { id, moderation }: AdRow,
  reason: Pick<AdRow, 'state_reason' | 'state_reason_code'>,
): Promise<void> => {
  await trx('ads')
    .where({ id })
    .update({
      moderation: moderate(moderation, 'remove'),
      ...reason,
      is_approved: false,
      updated_at: trx.fn.now(),
    });
};

/** Hides an ad until staff decide about it. Edits do not bring it back. */
export const holdAd = async (trx: Trx, { id, moderation }: AdRow): Promise<void> => {
  await trx('ads')
    .where({ id })
    .update({ moderation: moderate(moderation, 'hold'), updated_at: trx.fn.now() });
};

/** Gives an ad back the status that a hold or a removal took. Its time went on, so it may have expired. */
export const restoreAdState = async (
  trx: Trx,
  id: string,
  values: Pick<AdRow, 'moderation' | 'state' | 'state_reason' | 'state_reason_code' | 'is_approved'>,
): Promise<void> => {
  const { state } = values;
  const byTime = trx.raw("case when not is_sold and expires_at <= now() then 'expired' else 'active' end");
  await trx('ads')
    .where({ id })
    .update({ ...values, state: state === 'active' || state === 'paused' ? byTime : state, updated_at: trx.fn.now() });
};

const DELETED_WITH_ADS = [
  'favorites',
  'ad_images',
  'ad_views',
  'ad_view_days',
  'ad_clearances',
  'ad_prices',
  'ad_publications',
  'expiry_questions',
  'imported_ads',
  'imported_photos',
  'price_drops',
  'search_matches',
];

/**
 * Turns ads into tombstones: no text, images, favorites, views or X post texts. Their conversations keep referring to
 * the id; open offers are void and reservations end. Returns how many were not deleted before.
 */
export const softDeleteAds = async (trx: Trx, ids: readonly string[]): Promise<number> => {
  const changed = await trx('ads')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .whereNot({ state: 'deleted' })
    .update({ ...TOMBSTONE, deleted_at: trx.fn.now(), updated_at: trx.fn.now() });
  for (const table of DELETED_WITH_ADS)
    await trx(table)
      .whereRaw('ad_id = any(?::bigint[])', [[...ids]])
      .delete();
  // the row stays, for the caps and to prevent a second post; its text is the ad's and goes
  await trx('x_posts')
    .whereRaw('ad_id = any(?::bigint[])', [[...ids]])
    .update({ body: '' });
  await endOffersAndReservations(trx, { adIds: ids });
  return changed;
};

/**
 * Updates at most `limit` ads to their seller's state: deleted, hidden by a ban or suspension, or public unless
 * expired. Returns how many changed; fewer than `limit` means that none is left.
 */
export const updateSellerAds = async (
  trx: Trx,
  seller: Pick<UserRow, 'id' | 'banned_at' | 'suspended_until' | 'deleted_at'>,
  limit: number,
): Promise<number> => {
  const isHidden = isShutOut(seller, getNow(trx));
  const ads = trx('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' });
  if (seller.deleted_at === null) ads.where({ seller_banned: !isHidden });
  const ids = await ads.orderBy('id').limit(limit).forUpdate().pluck('id');
  if (seller.deleted_at !== null) return softDeleteAds(trx, ids);
  return trx('ads')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .update({ seller_banned: isHidden, state: stateByTime(trx, 'not is_sold') });
};

/** Expires all unsold ads past their date, in one statement. A restore needs it: the job finds listed and paused ads only. */
export const expireRestoredAds = async (trx: Trx): Promise<void> => {
  await trx('ads')
    .whereIn('state', ['active', 'paused'])
    .where({ is_sold: false })
    .where('expires_at', '<=', trx.fn.now())
    .update({ state: 'expired' });
};

export interface SitemapRow {
  id: string;
  updated_at: string;
}

/** Range of ids per sitemap file. Files are cut by id, so that an ad never moves to another file. */
export const SITEMAP_IDS = 40_000;

export async function listSitemapFiles(db: Db): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { last: string | null; first: string | null }[] }>(
    'select max(id) as last, min(id) as first from ads where listed',
  );
  const { first, last } = rows[0] ?? {};
  if (!first || !last) return [];
  const begin = Math.floor(Number(first) / SITEMAP_IDS);
  return Array.from({ length: Math.floor(Number(last) / SITEMAP_IDS) - begin + 1 }, (_, i) => begin + i);
}

export const listSitemapAds = (db: Db, file: number): Promise<SitemapRow[]> =>
  db('ads')
    .where('listed', true)
    .whereNotIn('user_id', db('users').where({ ads_pending: true }).select('id'))
    .whereBetween('id', [file * SITEMAP_IDS, (file + 1) * SITEMAP_IDS - 1])
    .orderBy('id', 'desc')
    .select<SitemapRow[]>('id', 'updated_at');

export interface View {
  /** The day of the site's time zone, "2026-11-23". */
  day: string;
  adId: string;
  viewer: Buffer;
}

/** Adds new views, in total and by day, in one statement, ordered by ad id, so that two batches cannot deadlock. */
export const addViews = async (db: Db, views: readonly View[]): Promise<void> => {
  await db.raw(
    `with fresh as (
       insert into ad_view_seen (day, ad_id, viewer)
       select day, ad_id, viewer from unnest(?::date[], ?::bigint[], ?::bytea[]) as seen (day, ad_id, viewer)
       order by ad_id, viewer on conflict do nothing returning day, ad_id
     ), counted as (
       select fresh.day, a.id as ad_id, count(*) as views
       from fresh join ads a on a.id = fresh.ad_id and a.state <> 'deleted' group by fresh.day, a.id
     ), by_day as (
       insert into ad_view_days as d (ad_id, day, views)
       select ad_id, day, views from counted order by ad_id, day
       on conflict (ad_id, day) do update set views = d.views + excluded.views
     )
     insert into ad_views as v (ad_id, views)
     select ad_id, sum(views) from counted group by ad_id order by ad_id
     on conflict (ad_id) do update set views = v.views + excluded.views`,
    [views.map((view) => view.day), views.map((view) => view.adId), views.map((view) => view.viewer)],
  );
};
