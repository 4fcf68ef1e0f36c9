import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { type Actor, isAdmin, type UserActor } from '../../policy.ts';
import { holdUser } from './store.ts';

/**
 * The acting person's row, held until the transaction ends: whoever is banned or deleted while a request runs does not
 * get to write. Throws what they are told.
 */
export const holdActor = async (trx: Trx, actor: UserActor): Promise<UserRow> => {
  const user = await holdUser(trx, actor.id);
  if (user === undefined || user.deleted_at !== null) throw unauthenticated();
  if (user.banned_at !== null) throw new AppError('account_banned');
  return user;
};

/** Like holdActor, and still an administrator; the operator at the terminal always is. */
export const holdAdmin = async (trx: Trx, actor: Actor): Promise<void> => {
  if (actor.kind === 'operator') return;
  if (actor.kind === 'anonymous') throw unauthenticated();
  const user = await holdActor(trx, actor);
  if (!isAdmin({ ...actor, role: user.role })) throw new AppError('forbidden', { message: 'Administrators only' });
};
