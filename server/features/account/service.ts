import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { isLastAdmin, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockUserAndAdmins } from '../users/repository.ts';
import { lockActiveActor } from '../users/service.ts';
import { remove } from './removal.ts';

/**
 * Deletes the actor: profile, ads, images, favorites, sessions and X tokens.
 * @throws {AppError} last_admin
 */
export const deleteMe = (ctx: AppContext, actor: UserActor, { requestId }: AuditContext = {}): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { admins } = await lockUserAndAdmins(trx, actor.id);
    const user = await lockActiveActor(trx, actor);
    if (isLastAdmin(actor.id, admins)) throw new AppError('last_admin');
    await remove(trx, user);
    const target = { targetType: 'user', targetId: actor.id, details: { role: user.role, self: true } };
    await recordAudit(trx, actor, { action: 'user.delete', ...target, requestId });
  });
