import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';

export interface FollowRow extends UserRow {
  follow_id: string;
  followed_at: string;
}

const selectFollows = (db: Db, followerId: string) =>
  db('follows as f')
    .join('users as u', 'u.id', 'f.seller_id')
    .where('f.follower_id', followerId)
    .select('u.*', 'f.id as follow_id', 'f.created_at as followed_at');

export const listFollows = (db: Db, followerId: string, paging: Paging): Promise<Page<FollowRow>> =>
  readPage(selectFollows(db, followerId), paging, { column: 'f.id', key: 'follow_id' });

export const findFollow = async (db: Db, followerId: string, sellerId: string): Promise<FollowRow | undefined> =>
  (await selectFollows(db, followerId).where('f.seller_id', sellerId).first()) as FollowRow | undefined;

export const countFollows = (db: Db, followerId: string): Promise<number> =>
  countRows(db('follows').where({ follower_id: followerId }));

/** How many people follow a seller. People whom the seller blocked do not count: they are not notified. */
export const countFollowers = (db: Db, sellerId: string): Promise<number> =>
  countRows(
    db('follows as f')
      .where('f.seller_id', sellerId)
      .whereNotExists(
        db('blocks as b')
          .where('b.blocker_id', sellerId)
          .where('b.blocked_id', db.ref('f.follower_id'))
          .select(db.raw('1')),
      ),
  );

export const hasBlocked = async (db: Db, blockerId: string, blockedId: string): Promise<boolean> =>
  (await db('blocks').where({ blocker_id: blockerId, blocked_id: blockedId }).first('id')) !== undefined;

export const insertFollow = async (trx: Trx, followerId: string, sellerId: string): Promise<void> => {
  await trx('follows').insert({ follower_id: followerId, seller_id: sellerId });
};

export const deleteFollow = async (trx: Trx, followerId: string, sellerId: string): Promise<void> => {
  await trx('follows').where({ follower_id: followerId, seller_id: sellerId }).delete();
};

/** Ends the follows between two users, in both directions. */
export const deleteFollowsBetween = async (trx: Trx, userId: string, otherId: string): Promise<void> => {
  await trx('follows')
    .whereRaw('(follower_id, seller_id) in ((:userId, :otherId), (:otherId, :userId))', { userId, otherId })
    .delete();
};
