import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { type Actor, isAdmin, isLastAdmin, type UserActor } from '../../policy.ts';
import { softDeleteAds } from '../ads/repository.ts';
import { recordAudit } from '../audit/repository.ts';
import { anonymizeUser, lockWithAdmins } from './removal-repository.ts';
import { lockUserShared, readExport } from './repository.ts';

/** Deletes the actor: profile, ads, pictures, favorites, sessions and X tokens. The last administrator has to stay. */
export const deleteMe = (ctx: AppContext, actor: UserActor, requestId?: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { admins } = await lockWithAdmins(trx, actor.id);
    const user = await lockActiveActor(trx, actor);
    if (isLastAdmin(actor.id, admins)) throw new AppError('last_admin');
    await softDeleteAds(trx, { user_id: actor.id });
    await anonymizeUser(trx, actor.id);
    const target = { targetType: 'user', targetId: actor.id, details: { role: user.role, self: true } };
    await recordAudit(trx, actor, { action: 'user.delete', ...target, requestId });
  });

/** Everything stored about the actor, as one document, of one moment. */
export const exportMyData = async (ctx: AppContext, actor: UserActor): Promise<Record<string, unknown>> => {
  const data = await ctx.db.transaction((trx) => readExport(trx, actor.id), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  if (data === undefined) throw unauthenticated();
  return { exportedAt: ctx.clock.now().toISOString(), site: ctx.config.publicUrl, ...data };
};

/**
 * The acting person's row, held until the transaction ends: whoever is banned or deleted while a request runs does not
 * get to write. Throws what they are told.
 */
export const lockActiveActor = async (trx: Trx, actor: UserActor): Promise<UserRow> => {
  const user = await lockUserShared(trx, actor.id);
  if (user === undefined || user.deleted_at !== null) throw unauthenticated();
  if (user.banned_at !== null) throw new AppError('account_banned');
  return user;
};

/** Like holdActor, and still an administrator; the operator at the terminal always is. */
export const lockActiveAdmin = async (trx: Trx, actor: Actor): Promise<void> => {
  if (actor.kind === 'operator') return;
  if (actor.kind === 'anonymous') throw unauthenticated();
  const user = await lockActiveActor(trx, actor);
  if (!isAdmin({ ...actor, role: user.role })) throw new AppError('forbidden', { message: 'Administrators only' });
};
