import type { Db } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import { IS_PUBLIC } from './publications-repository.ts';
import { type AdDetails, SELECT_ADS } from './repository.ts';

// Google and Meta refuse what has no picture or no price.
const OFFERED = `${IS_PUBLIC} and a.has_photos and a.price > 0 and a.price_type in ('fixed', 'negotiable')
  and (:sellerId::bigint is null or a.user_id = :sellerId)`;

interface Part {
  /** Null: of everybody. */
  sellerId: string | null;
  after: string;
  limit: number;
}

/** The public ads that sell something and have a photo, in the order of their ids. */
export const listOfferedAds = (db: Db, { sellerId, after, limit }: Part): Promise<AdDetails[]> =>
  queryPrepared(db, `${SELECT_ADS} where ${OFFERED} and a.id > :after order by a.id limit :limit`, {
    sellerId,
    after,
    limit,
  });

/** Changes when one of these ads does, and when one comes or goes. */
export const readOffersVersion = async (db: Db, sellerId: string | null): Promise<string> => {
  const [row] = await queryPrepared<{ version: string }>(
    db,
    `select concat_ws('-', count(*), sum(hashtext(concat_ws(' ', a.id, extract(epoch from a.updated_at))))) as version
     from ads a join users u on u.id = a.user_id where ${OFFERED}`,
    { sellerId },
  );
  return row!.version;
};
