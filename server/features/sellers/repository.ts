import type { Db } from '../../db/pools.ts';
import { type AdDetails, SELECT_ADS } from '../ads/repository.ts';
import { selectShutOut } from '../users/repository.ts';

export interface SellerTotals {
  totalAds: number;
  activeAds: number;
  soldAds: number;
  totalViews: number;
}

/** Counts a seller's public ads, or with `isPrivate` also the hidden ones. Active means unsold. */
export const countSellerAds = async (db: Db, userId: string, isPrivate: boolean): Promise<SellerTotals> => {
  const { rows } = await db.raw<{ rows: SellerTotals[] }>(
    `select count(*)::int as "totalAds",
       count(*) filter (where a.state = 'active' and not a.is_sold)::int as "activeAds",
       count(*) filter (where a.is_sold)::int as "soldAds",
       coalesce(sum(v.views), 0)::float8 as "totalViews"
     from ads a join users u on u.id = a.user_id left join ad_views v on v.ad_id = a.id
     where a.user_id = ? and a.state <> 'deleted'
       ${isPrivate ? '' : `and a.state = 'active' and not ${selectShutOut('u')} and u.deleted_at is null`}`,
    [userId],
  );
  return rows[0]!;
};

export const listTopAds = async (db: Db, userId: string, limit: number): Promise<AdDetails[]> => {
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `${SELECT_ADS} where a.user_id = ? and a.state <> 'deleted' order by coalesce(v.views, 0) desc, a.id desc limit ?`,
    [userId, limit],
  );
  return rows;
};
