import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { type Actor, isAdmin, type UserActor } from '../../policy.ts';
import { lockUserShared } from './repository.ts';

/**
 * Locks the actor's row until the transaction ends: a user who is banned or deleted during a request cannot write.
 * @throws {AppError} unauthenticated, account_banned
 */
export const lockActiveActor = async (trx: Trx, actor: UserActor): Promise<UserRow> => {
  const user = await lockUserShared(trx, actor.id);
  if (user === undefined || user.deleted_at !== null) throw unauthenticated();
  if (user.banned_at !== null) throw new AppError('account_banned');
  return user;
};

/**
 * Like lockActiveActor, for administrators; the operator of `marketctl` always is one. @throws {AppError}
 * unauthenticated, account_banned, forbidden
 */
export const lockActiveAdmin = async (trx: Trx, actor: Actor): Promise<void> => {
  if (actor.kind === 'operator') return;
  if (actor.kind === 'anonymous') throw unauthenticated();
  const user = await lockActiveActor(trx, actor);
  if (!isAdmin({ ...actor, role: user.role })) throw new AppError('forbidden', { message: 'Administrators only' });
};
