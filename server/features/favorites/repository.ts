import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import { type AdDetails, SELECT_ADS } from '../ads/repository.ts';

/** Serialises the toggles of one user and ad until the transaction ends. */
export const lockFavorite = async (trx: Trx, userId: string, adId: string): Promise<void> => {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`favorite ${userId} ${adId}`]);
};

export const isFavorite = async (db: Db, userId: string, adId: string): Promise<boolean> =>
  (await db('favorites').where({ user_id: userId, ad_id: adId }).first('id')) !== undefined;

export const addFavorite = async (trx: Trx, userId: string, adId: string): Promise<void> => {
  await trx('favorites').insert({ user_id: userId, ad_id: adId });
};

export const removeFavorite = async (trx: Trx, userId: string, adId: string): Promise<boolean> =>
  (await trx('favorites').where({ user_id: userId, ad_id: adId }).delete()) === 1;

export interface FavoriteDetails extends AdDetails {
  favorite_id: string;
}

export const listFavorites = (db: Db, userId: string, paging: Paging): Promise<Page<FavoriteDetails>> => {
  const sql = `${SELECT_ADS.replace('select ', 'select f.id as favorite_id, ')} join favorites f on f.ad_id = a.id
    where f.user_id = :userId and a.state <> 'deleted' and u.deleted_at is null`;
  return queryPage(db, [sql, { userId }], paging, { column: 'f.id', key: 'favorite_id' });
};

export const listFavoriteIds = async (db: Db, userId: string, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string; user_id: string; ad_id: string }>('favorites')
    .where({ user_id: userId })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('ad_id');
  return rows.map((row) => row.ad_id);
};

export const countFavorites = (db: Db, userId: string): Promise<number> =>
  countRows(db('favorites').where({ user_id: userId }));
