import { type Page, parseCursor, toPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';

/** One ad with seller, category and pictures; deleted ones too. */
export const findAd = async (db: Db, id: string): Promise<AdDetails | undefined> => {
  const [ad] = await queryPrepared<AdDetails>(db, `${SELECT_ADS} where a.id = :id`, { id });
  return ad;
};

/** Several ads by id, in no order. */
export const listAdsByIds = async (db: Db, ids: readonly string[]): Promise<AdDetails[]> => {
  if (ids.length === 0) return [];
  return queryPrepared(db, `${SELECT_ADS} where a.id = any(:ids::bigint[])`, { ids });
};

export interface SellerAdsFilter {
  /** Hidden ads too: for the seller and administrators. */
  isPrivate: boolean;
  isSold?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

/**
 * A seller's ads, newest first. Public ones are those whose page anybody may open (policy.maySeeAd): sold ones stay after
 * they have left the lists.
 */
export const listSellerAds = async (
  db: Db,
  userId: string,
  { isPrivate, isSold, cursor, limit }: SellerAdsFilter,
): Promise<Page<AdDetails>> => {
  const before = parseCursor(cursor);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `${SELECT_ADS} where a.user_id = :userId and a.state <> 'deleted'
       ${isPrivate ? '' : "and a.state = 'active' and not a.seller_banned and u.banned_at is null and u.deleted_at is null"}
       ${isSold === undefined ? '' : 'and a.is_sold = :isSold'} ${before === null ? '' : 'and a.id < :before'}
     order by a.id desc limit :limit`,
    { userId, isSold: isSold ?? false, before: before ?? 0, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row.id);
};

/** The ad, locked until the transaction ends, so that what is decided about it still holds when it is written. */
export const lockAdForUpdate = (trx: Trx, id: string): Promise<AdRow | undefined> =>
  trx<AdRow>('ads').where({ id }).forUpdate().first();

/** The ad, protected from edits until the transaction ends; others may share the lock. */
export const lockAdShared = async (trx: Trx, id: string): Promise<AdDetails | undefined> => {
  const [ad] = await queryPrepared<AdDetails>(trx, `${SELECT_ADS} where a.id = :id for share of a`, { id });
  return ad;
};

type AdValues = Partial<Omit<AdRow, 'id' | 'listed'>>;

/** Days from now by the database's clock; null for never. */
export const inDays = (trx: Trx, days: number | null) =>
  days === null ? null : trx.raw("now() + ? * interval '1 day'", [days]);

/** The state of an ad that comes back into view: unsold, it may have expired meanwhile. */
export const stateByTime = (trx: Trx, isUnsold: 'true' | 'not is_sold' = 'true') =>
  trx.raw(`case when state = 'active' and ${isUnsold} and expires_at <= now() then 'expired' else state end`);

/** Inserts an ad and returns its id. A trigger sets `listed`. */
export const insertAd = async (trx: Trx, values: Record<string, unknown>): Promise<string> => {
  const [row] = await trx('ads').insert(values).returning<{ id: string }[]>('id');
  return row!.id;
};

/** Writes an ad that belongs to this owner and is not deleted; says whether there was one. */
export const updateOwnAd = async (
  trx: Trx,
  id: string,
  ownerId: string,
  values: { [K in keyof AdValues]: unknown },
): Promise<boolean> => {
  const changed = await trx('ads')
    .where({ id, user_id: ownerId })
    .whereNot({ state: 'deleted' })
    .update({ ...values, updated_at: trx.fn.now() });
  return changed === 1;
};

/** How many of a seller's ads an administrator approved. */
export const countApprovedAds = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db('ads')
    .where({ user_id: userId, is_approved: true })
    .whereNot({ state: 'deleted' })
    .count<{ count: string }[]>('id');
  return Number(row?.count ?? 0);
};

export interface AdImageJson {
  sha256: string;
  width: number;
  height: number;
  color: string;
}

type Prefixed<Row, Prefix extends string> = { [K in keyof Row & string as `${Prefix}${K}`]: Row[K] };
type Seller = Pick<
  UserRow,
  | 'username'
  | 'display_name'
  | 'avatar'
  | 'is_verified'
  | 'is_premium'
  | 'x_account_created'
  | 'created_at'
  | 'can_link_out'
>;

/** An ad with what every answer shows of it: seller, category, pictures, views. */
export interface AdDetails extends AdRow, Prefixed<Seller, 'seller_'> {
  category: string;
  category_slug: string;
  images: AdImageJson[];
  views: string;
}

// Every column is named: tsv (480 bytes on average) must not travel. A ban or deletion of the seller counts at once,
// also while a job still changes the ads themselves (updateSellerAds).
const AD_COLUMNS = `a.id, a.user_id, a.category_id, a.title, a.description, a.price, a.location, a.external_link,
  a.allow_messages, case when u.deleted_at is null then a.state else 'deleted' end as state, a.state_reason,
  a.is_approved, a.taken_down, a.is_sold, a.sold_at, a.sold_listed_until, a.expires_at,
  a.seller_banned or u.banned_at is not null as seller_banned, a.listed, a.created_at, a.updated_at, a.deleted_at`;

const IMAGES = `coalesce((
  select json_agg(json_build_object('sha256', encode(i.sha256, 'hex'), 'width', i.width, 'height', i.height, 'color', i.color)
    order by ai.position)
  from ad_images ai join images i using (sha256) where ai.ad_id = a.id), '[]')`;

/** `select … from ads a …` as AdDetails; conditions, order and limit follow. */
export const SELECT_ADS = `select ${AD_COLUMNS},
  c.name as category, c.slug as category_slug, coalesce(v.views, 0) as views, ${IMAGES} as images,
  u.username as seller_username, u.display_name as seller_display_name, u.avatar as seller_avatar,
  u.is_verified as seller_is_verified, u.is_premium as seller_is_premium,
  u.x_account_created as seller_x_account_created, u.created_at as seller_created_at,
  u.can_link_out as seller_can_link_out
from ads a
join users u on u.id = a.user_id
join categories c on c.id = a.category_id
left join ad_views v on v.ad_id = a.id`;

export interface StateDecision {
  status: 'active' | 'inactive';
  reason: string | null;
  /** Days until it expires when it comes onto the market; null for never. */
  days: number | null;
}

/** Writes what an administrator decided about an ad. Only such an approval counts towards its seller's trust. */
export const setAdState = async (trx: Trx, ad: AdRow, { status, reason, days }: StateDecision): Promise<void> => {
  const wasOn = ad.state === 'active' && ad.listed;
  await trx('ads')
    .where({ id: ad.id })
    .update({
      state: status,
      state_reason: status === 'active' ? null : reason,
      is_approved: status === 'active',
      taken_down: status === 'inactive',
      updated_at: trx.fn.now(),
      ...(status === 'active' && !wasOn && { expires_at: inDays(trx, days) }),
    });
};

const TOMBSTONE = {
  title: '',
  description: '',
  price: 0,
  location: null,
  external_link: null,
  allow_messages: false,
  state: 'deleted',
  state_reason: null,
  is_sold: false,
  sold_at: null,
  sold_listed_until: null,
};

/**
 * Turns ads into tombstones: no text, images, favorites, views or words of posts to X. Their conversations keep the id to
 * refer to. Returns how many were not deleted before.
 */
export const softDeleteAds = async (trx: Trx, ids: readonly string[]): Promise<number> => {
  const changed = await trx('ads')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .whereNot({ state: 'deleted' })
    .update({ ...TOMBSTONE, deleted_at: trx.fn.now(), updated_at: trx.fn.now() });
  for (const table of ['favorites', 'ad_images', 'ad_views'])
    await trx(table)
      .whereRaw('ad_id = any(?::bigint[])', [[...ids]])
      .delete();
  // that there was a post is kept, for the caps and against a second one; its text was the ad's
  await trx('x_posts')
    .whereRaw('ad_id = any(?::bigint[])', [[...ids]])
    .update({ body: '' });
  return changed;
};

/**
 * Brings at most `limit` ads in line with their seller's state: deleted, hidden by a ban, or public again as far as their
 * time is not over. Returns how many changed; fewer than `limit` means that none is left.
 */
export const updateSellerAds = async (
  trx: Trx,
  seller: Pick<UserRow, 'id' | 'banned_at' | 'deleted_at'>,
  limit: number,
): Promise<number> => {
  const isHidden = seller.banned_at !== null;
  const ads = trx('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' });
  if (seller.deleted_at === null) ads.where({ seller_banned: !isHidden });
  const ids = await ads.limit(limit).forUpdate().pluck('id');
  if (seller.deleted_at !== null) return softDeleteAds(trx, ids);
  return trx('ads')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .update({ seller_banned: isHidden, state: stateByTime(trx, 'not is_sold') });
};

const BATCH = 500;
/** As the index ads_due has it; in its order, for in order of id the planner would look at every listed ad. */
const DUE = "coalesce(case when is_sold then sold_listed_until else expires_at end, 'infinity')";

/**
 * Lets time have its effect on stored columns: unsold ads past their day expire, sold ones past their days leave the lists.
 * In batches, skipping ads that somebody is writing: they are due again next time. Returns how many changed.
 */
export const expireListings = async (db: Db): Promise<number> => {
  for (let changed = 0; ; ) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `update ads set state = case when is_sold then state else 'expired' end, listed = listed
       where id in (
         select id from ads where listed and ${DUE} <= now() order by ${DUE} limit ${BATCH} for update skip locked)`,
    );
    changed += rowCount;
    if (rowCount < BATCH) return changed;
  }
};

export interface SitemapRow {
  id: string;
  updated_at: string;
}

/** Ids from `first` on that one sitemap file covers. Files are cut by id, so that none ever changes its place. */
export const SITEMAP_IDS = 40_000;

/** First ids of the files that hold a listed ad at all. */
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
