import type { TextKey } from '../../../contract/i18n.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { AppError, accountSuspended, forbidden, unauthenticated } from '../../errors.ts';
import { type Actor, isAdmin, isStaff, isSuspended, type UserActor } from '../../policy.ts';
import { lockUserShared } from './repository.ts';

/** Throws if this user was deleted, banned or suspended. @throws {AppError} */
export function checkActive<Row extends Pick<UserRow, 'banned_at' | 'suspended_until' | 'deleted_at'>>(
  user: Row | undefined,
  now: Date,
): asserts user is Row {
  checkPresent(user);
  if (isSuspended(user, now)) throw accountSuspended(user.suspended_until!);
}

function checkPresent<Row extends Pick<UserRow, 'banned_at' | 'deleted_at'>>(
  user: Row | undefined,
): asserts user is Row {
  if (user === undefined || user.deleted_at !== null) throw unauthenticated();
  if (user.banned_at !== null) throw new AppError('account_banned');
}

/**
 * Locks the actor's row until the transaction ends: a user who is banned, suspended or deleted during a request cannot
 * write. @throws {AppError} unauthenticated, account_banned, account_suspended
 */
export const lockActiveActor = async (trx: Trx, actor: UserActor): Promise<UserRow> => {
  const user = await lockUserShared(trx, actor.id);
  checkActive(user, getNow(trx));
  return user;
};

/** Like lockActiveActor, for what suspended users may do, too. @throws {AppError} unauthenticated, account_banned */
export const lockActorWhileSuspended = async (trx: Trx, actor: UserActor): Promise<UserRow> => {
  const user = await lockUserShared(trx, actor.id);
  checkPresent(user);
  return user;
};

/**
 * Like lockActiveActor, for moderators and administrators; the operator of `marketctl` always is one. @throws {AppError}
 * unauthenticated, account_banned, account_suspended, forbidden
 */
export const lockActiveStaff = (trx: Trx, actor: Actor): Promise<void> =>
  lockActive(trx, actor, isStaff, 'errors.staffOnly');

/** Like lockActiveStaff, for administrators. */
export const lockActiveAdmin = (trx: Trx, actor: Actor): Promise<void> =>
  lockActive(trx, actor, isAdmin, 'errors.adminsOnly');

async function lockActive(trx: Trx, actor: Actor, isAllowed: (actor: Actor) => boolean, key: TextKey) {
  if (actor.kind === 'operator') return;
  if (actor.kind === 'anonymous') throw unauthenticated();
  const { role } = await lockActiveActor(trx, actor);
  // the role may have changed since the request began
  if (!isAllowed({ ...actor, role })) throw forbidden(key);
}
