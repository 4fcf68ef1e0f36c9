import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';

export interface BlockRow extends UserRow {
  block_id: string;
  blocked_at: string;
}

const selectBlocks = (db: Db, blockerId: string) =>
  db('blocks as b')
    .join('users as u', 'u.id', 'b.blocked_id')
    .where('b.blocker_id', blockerId)
    .select('u.*', 'b.id as block_id', 'b.created_at as blocked_at');

export const listBlocks = (db: Db, blockerId: string, paging: Paging): Promise<Page<BlockRow>> =>
  readPage(selectBlocks(db, blockerId), paging, { column: 'b.id', key: 'block_id' });

export const findBlock = async (db: Db, blockerId: string, blockedId: string): Promise<BlockRow | undefined> =>
  (await selectBlocks(db, blockerId).where('b.blocked_id', blockedId).first()) as BlockRow | undefined;

export interface BlocksBetween {
  /** The first user blocked the second. */
  byOneself: boolean;
  byOther: boolean;
}

export const readBlocksBetween = async (db: Db, userId: string, otherId: string): Promise<BlocksBetween> => {
  const blockers: string[] = await db('blocks')
    .whereRaw('(blocker_id, blocked_id) in ((:userId, :otherId), (:otherId, :userId))', { userId, otherId })
    .pluck('blocker_id');
  return { byOneself: blockers.includes(userId), byOther: blockers.includes(otherId) };
};

export const countBlocks = (db: Db, blockerId: string): Promise<number> =>
  countRows(db('blocks').where({ blocker_id: blockerId }));

export const insertBlock = async (trx: Trx, blockerId: string, blockedId: string): Promise<void> => {
  await trx('blocks').insert({ blocker_id: blockerId, blocked_id: blockedId });
};

/** Returns whether the block existed. */
export const deleteBlock = async (trx: Trx, blockerId: string, blockedId: string): Promise<boolean> =>
  (await trx('blocks').where({ blocker_id: blockerId, blocked_id: blockedId }).delete()) === 1;
