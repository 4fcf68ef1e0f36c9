import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { publish } from '../../db/events.ts';
import { getNow } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { isSelf, maySeeProfile, type UserActor } from '../../policy.ts';
import { endOffersAndReservations } from '../deals/endings-repository.ts';
import { deleteFollowsBetween } from '../follows/repository.ts';
import { haveConversation } from '../reports/case-repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUserForUpdate, lockUsers } from '../users/repository.ts';
import { type BlockRow, countBlocks, deleteBlock, findBlock, insertBlock } from './repository.ts';

/**
 * Blocks another user, whose profile the actor may open or who wrote to the actor; a repetition changes nothing. Ends
 * follows, open offers and reservations between the two. Sending a message and following lock both users, so each comes
 * entirely before or after the block. @throws {AppError} validation_failed (oneself), not_found, conflict
 * (LIMITS.blocks)
 */
export const blockUser = (ctx: AppContext, actor: UserActor, userId: string): Promise<BlockRow> =>
  inTransaction(ctx.db, async (trx) => {
    if (isSelf(actor, userId)) throw invalid({ userId: 'errors.blockSelf' });
    const user = (await lockUsers(trx, [actor.id, userId])).find(({ id }) => id === userId);
    await lockActiveActor(trx, actor);
    const existing = await findBlock(trx, actor.id, userId);
    if (existing) return existing;
    const isKnown =
      user && (maySeeProfile(actor, user, getNow(trx)) || (await haveConversation(trx, actor.id, userId)));
    if (!isKnown || user.deleted_at !== null) throw notFound('errors.userNotFound');
    if ((await countBlocks(trx, actor.id)) >= LIMITS.blocks)
      throw conflict('errors.blocksFull', { max: LIMITS.blocks });
    await insertBlock(trx, actor.id, userId);
    await deleteFollowsBetween(trx, actor.id, userId);
    await endOffersAndReservations(trx, { between: [actor.id, userId] });
    await publish(trx, 'sessions', { userId: actor.id });
    return (await findBlock(trx, actor.id, userId))!;
  });

/** Ends a block; without one, nothing changes. */
export const unblockUser = (ctx: AppContext, actor: UserActor, userId: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockUserForUpdate(trx, actor.id);
    await lockActiveActor(trx, actor);
    if (await deleteBlock(trx, actor.id, userId)) await publish(trx, 'sessions', { userId: actor.id });
  });
