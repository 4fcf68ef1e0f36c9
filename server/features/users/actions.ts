import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { isLastAdmin, type UserActor } from '../../policy.ts';
import { buryAds } from '../ads/bury-store.ts';
import { recordAudit } from '../audit/store.ts';
import { readExport } from './export-store.ts';
import { eraseUser, lockWithAdmins } from './removal-store.ts';
import { holdActor } from './standing.ts';

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
