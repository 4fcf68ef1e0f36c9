import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
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
