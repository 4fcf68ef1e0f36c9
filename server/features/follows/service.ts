import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { isSelf, maySeeProfile, type UserActor } from '../../policy.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUsers } from '../users/repository.ts';
import { countFollows, deleteFollow, type FollowRow, findFollow, hasBlocked, insertFollow } from './repository.ts';

/**
 * Follows another user, whose profile the actor may open; a repetition changes nothing. A person whom the other one
 * blocked does not learn of it here: the follow is stored, and no notification comes of it.
 * @throws {AppError} validation_failed (oneself), not_found, conflict (LIMITS.follows, or the actor blocked this person)
 */
export const followUser = (ctx: AppContext, actor: UserActor, userId: string): Promise<FollowRow> =>
  inTransaction(ctx.db, async (trx) => {
    if (isSelf(actor, userId)) throw invalid({ userId: 'errors.followSelf' });
    const user = (await lockUsers(trx, [actor.id, userId])).find(({ id }) => id === userId);
    await lockActiveActor(trx, actor);
    const existing = await findFollow(trx, actor.id, userId);
    if (existing) return existing;
    if (!user || user.deleted_at !== null || !maySeeProfile(actor, user, getNow(trx)))
      throw notFound('errors.userNotFound');
    if (await hasBlocked(trx, actor.id, userId)) throw conflict('errors.blockedFollow');
    if ((await countFollows(trx, actor.id)) >= LIMITS.follows)
      throw conflict('errors.followsFull', { max: LIMITS.follows });
    await insertFollow(trx, actor.id, userId);
    return (await findFollow(trx, actor.id, userId))!;
  });

/** Ends a follow; without one, nothing changes. */
export const unfollowUser = (ctx: AppContext, actor: UserActor, userId: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    await deleteFollow(trx, actor.id, userId);
  });
