import type { App } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { type Actor, isAdmin, isLastAdmin, type UserActor } from '../../policy.ts';
import { buryAds } from '../ads/repository.ts';
import { recordAudit } from '../audit/repository.ts';
import { eraseUser, lockWithAdmins } from './removal-repository.ts';
import { holdUser, readExport } from './repository.ts';

/** Deletes the actor: profile, ads, pictures, favorites, sessions and X tokens. The last administrator has to stay. */
export const deleteMe = (app: App, actor: UserActor, requestId?: string): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const { admins } = await lockWithAdmins(trx, actor.id);
    const user = await holdActor(trx, actor);
    if (isLastAdmin(actor.id, admins)) throw new AppError('last_admin');
    await buryAds(trx, { user_id: actor.id });
    await eraseUser(trx, actor.id);
    const target = { targetType: 'user', targetId: actor.id, details: { role: user.role, self: true } };
    await recordAudit(trx, actor, { action: 'user.delete', ...target, requestId });
  });

/** Everything stored about the actor, as one document, of one moment. */
export const exportMyData = async (app: App, actor: UserActor): Promise<Record<string, unknown>> => {
  const data = await app.db.transaction((trx) => readExport(trx, actor.id), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  if (data === undefined) throw unauthenticated();
  return { exportedAt: app.clock.now().toISOString(), site: app.config.publicUrl, ...data };
};

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
