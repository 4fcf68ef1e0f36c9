import { LIMITS } from '../../../../contract/limits.ts';
import type { Db, Trx } from '../../../db/pools.ts';

export const BATCH = 500;

const SOON = `expires_at > now() and expires_at <= now() + interval '${LIMITS.renewDays} days'`;

export interface DueAd {
  id: string;
  user_id: string;
}

/**
 * Public unsold ads that expire soon and whose sellers were not asked about that date, at most BATCH, soonest first.
 * `skipped` are left out.
 */
export const listAdsToAskAbout = async (db: Db, skipped: readonly string[]): Promise<DueAd[]> => {
  const { rows } = await db.raw<{ rows: DueAd[] }>(
    `select id, user_id from ads a
     where listed and not is_sold and ${SOON} and id <> all(?::bigint[]) and not exists (
       select from expiry_questions q where q.ad_id = a.id and q.expires_at = a.expires_at)
     order by expires_at, id limit ${BATCH}`,
    [[...skipped]],
  );
  return rows;
};

export interface EndingAd extends DueAd {
  title: string;
  expires_at: string;
}

/**
 * Marks these ads of these sellers as asked about. Returns those that were not, are still for sale, and nothing changes
 * now.
 */
export const insertExpiryQuestions = async (
  trx: Trx,
  ids: readonly string[],
  sellerIds: readonly string[],
): Promise<EndingAd[]> => {
  const { rows } = await trx.raw<{ rows: EndingAd[] }>(
    `with due as (
       select id, user_id, title, expires_at from ads
       where id = any(:ids::bigint[]) and user_id = any(:sellerIds::bigint[]) and listed and not is_sold and ${SOON}
       order by id for share skip locked
     ), asked as (
       insert into expiry_questions (ad_id, expires_at) select id, expires_at from due
       on conflict do nothing returning ad_id
     )
     select id, user_id, title, expires_at from due where id in (select ad_id from asked) order by id`,
    { ids: [...ids], sellerIds: [...sellerIds] },
  );
  return rows;
};

/** The expression of the index ads_due. If ordered by id, the planner would read every listed ad. */
const DUE = "coalesce(case when is_sold then sold_listed_until else expires_at end, 'infinity')";

/** Ads whose time is over, listed (sold or not) or paused, at most BATCH of each. `skipped` are left out. */
export const listOverdueAds = async (db: Db, skipped: readonly string[]): Promise<DueAd[]> => {
  const { rows } = await db.raw<{ rows: DueAd[] }>(
    `(select id, user_id from ads where listed and ${DUE} <= now() and id <> all(:skipped::bigint[])
      order by ${DUE} limit ${BATCH})
     union all
     (select id, user_id from ads where state = 'paused' and expires_at <= now() and id <> all(:skipped::bigint[])
      order by expires_at limit ${BATCH})`,
    { skipped: [...skipped] },
  );
  return rows;
};

export interface EndedAd extends EndingAd {
  is_sold: boolean;
}

/**
 * Expires those of these ads that are unsold and past their date, and takes the sold ones past theirs off the lists.
 * Leaves out ads that are being edited.
 */
export const endListings = async (trx: Trx, ids: readonly string[]): Promise<EndedAd[]> => {
  const { rows } = await trx.raw<{ rows: EndedAd[] }>(
    `update ads set state = case when is_sold then state else 'expired' end, listed = listed
     where id in (
       select id from ads where id = any(?::bigint[]) and (listed or state = 'paused') and ${DUE} <= now() order by id for update skip locked)
     returning id, user_id, title, expires_at, is_sold`,
    [[...ids]],
  );
  return rows;
};
