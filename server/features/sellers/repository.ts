import type { Db } from '../../db/pools.ts';
import { type AdDetails, SELECT_ADS } from '../ads/repository.ts';

export interface SellerTotals {
  totalAds: number;
  activeAds: number;
  soldAds: number;
  totalViews: number;
}

/** Counts a seller's public ads, or with `isPrivate` also the hidden ones. Active means unsold. */
export const countSellerAds = async (db: Db, userId: string, isPrivate: boolean): Promise<SellerTotals> => {
  const { rows } = await db.raw<{ rows: Record<'total' | 'active' | 'sold' | 'views', string>[] }>(
    `select count(*) as total,
       count(*) filter (where a.state = 'active' and not a.is_sold) as active,
       count(*) filter (where a.is_sold) as sold,
       coalesce(sum(v.views), 0) as views
     from ads a left join ad_views v on v.ad_id = a.id
     where a.user_id = ? and a.state <> 'deleted' ${isPrivate ? '' : "and a.state = 'active' and not a.seller_banned"}`,
    [userId],
  );
  const row = rows[0]!;
  return {
    totalAds: Number(row.total),
    activeAds: Number(row.active),
    soldAds: Number(row.sold),
    totalViews: Number(row.views),
  };
};

export const listTopAds = async (db: Db, userId: string, limit: number): Promise<AdDetails[]> => {
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `${SELECT_ADS} where a.user_id = ? and a.state <> 'deleted' order by coalesce(v.views, 0) desc, a.id desc limit ?`,
    [userId, limit],
  );
  return rows;
};
