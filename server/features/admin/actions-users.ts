import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import { type Actor, isSelf, mayRemoveUser } from '../../policy.ts';
import { buryAds } from '../ads/bury-store.ts';
import { recordAudit } from '../audit/store.ts';
import { dropBan } from '../auth/banned-accounts-store.ts';
import { allowManyAds, endSessions, eraseUser, hideAds, lockWithAdmins } from '../users/removal-store.ts';
import { holdAdmin } from '../users/standing.ts';
import { lockUser } from '../users/store.ts';

/** Where an act of the administration came from, for the audit log. */
export interface Origin {
  requestId?: string;
  /** An operator's reason; nobody else sees it. */
  reason?: string | undefined;
}

/** The person, locked together with all administrators, once it is settled that this actor may remove them. */
const lockRemovable = async (trx: Trx, actor: Actor, id: string, verb: string): Promise<UserRow> => {
  const { user, admins } = await lockWithAdmins(trx, id);
  await holdAdmin(trx, actor);
  if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
  if (mayRemoveUser(actor, id, admins)) return user;
  throw isSelf(actor, id) ? conflict(`You cannot ${verb} yourself`) : new AppError('last_admin');
};

const target = (id: string) => ({ targetType: 'user', targetId: id });

/**
 * Bans a user: sessions end, ads leave public view, signing in and writing are refused. Everything in one transaction,
 * the audit entry too. Banning again changes the reason.
 */
export const banUser = (app: App, actor: Actor, id: string, reason = '', { requestId }: Origin = {}): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'ban');
    await trx('users')
      .where({ id })
      .update({ banned_at: user.banned_at ?? trx.fn.now(), ban_reason: reason || null });
    await endSessions(trx, id);
    await hideAds(trx, id, true);
    const details = { reason: reason || null, wasBanned: user.banned_at !== null };
    await recordAudit(trx, actor, { action: 'user.ban', ...target(id), details, requestId });
  });

/** Lifts a ban; the ads come back as far as their time is not over. */
export const unbanUser = (app: App, actor: Actor, id: string, { requestId, reason }: Origin = {}): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    await holdAdmin(trx, actor);
    const user = await lockUser(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    await allowManyAds(trx);
    await trx('users').where({ id }).update({ banned_at: null, ban_reason: null });
    await hideAds(trx, id, false);
    const details = { wasBanned: user.banned_at !== null, banReason: user.ban_reason, reason };
    await recordAudit(trx, actor, { action: 'user.unban', ...target(id), details, requestId });
  });

/** Lets an X account sign in again whose person was deleted while banned. */
export const liftBanOf = (app: App, actor: Actor, xId: string, { requestId, reason }: Origin = {}): Promise<boolean> =>
  inTransaction(app.db, async (trx) => {
    await holdAdmin(trx, actor);
    const wasBanned = await dropBan(trx, xId);
    const details = { wasBanned, deleted: true, reason };
    if (wasBanned) await recordAudit(trx, actor, { action: 'user.unban', targetType: 'x-account', details, requestId });
    return wasBanned;
  });

/** Deletes a user with profile, ads, pictures, favorites, sessions and X tokens; their messages stay for the other party. */
export const deleteUser = (app: App, actor: Actor, id: string, { requestId, reason }: Origin = {}): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'delete');
    await buryAds(trx, { user_id: id });
    await eraseUser(trx, id);
    const details = { role: user.role, wasBanned: user.banned_at !== null, reason };
    await recordAudit(trx, actor, { action: 'user.delete', ...target(id), details, requestId });
  });

/** Lets a user put external links on ads, or takes that away; the links are hidden then. */
export const setLinkOut = (
  app: App,
  actor: Actor,
  id: string,
  canLinkOut: boolean,
  { requestId, reason }: Origin = {},
): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    await holdAdmin(trx, actor);
    const user = await lockUser(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    await trx('users').where({ id }).update({ can_link_out: canLinkOut });
    const details = { before: user.can_link_out, after: canLinkOut, reason };
    await recordAudit(trx, actor, { action: 'user.link-out', ...target(id), details, requestId });
  });
