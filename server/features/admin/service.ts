import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import { type Actor, isLastAdmin, isSelf, mayRemoveUser } from '../../policy.ts';
import { ban, remove, unban } from '../account/removal.ts';
import { lockAdForUpdate, softDeleteAds } from '../ads/repository.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { deleteBan } from '../auth/repository.ts';
import { endSessions } from '../auth/session-repository.ts';
import { approveAd, removeAd } from '../reports/ad-decisions.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserAndAdmins, lockUserForUpdate, updateUser } from '../users/repository.ts';

const target = (id: string) => ({ targetType: 'user', targetId: id });

const lockAnyAd = async (trx: Trx, actor: Actor, id: string): Promise<AdRow> => {
  await lockActiveAdmin(trx, actor);
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || ad.state === 'deleted') throw notFound('Ad not found');
  return ad;
};

interface StatusChange {
  status: 'active' | 'inactive';
  reason?: string | undefined;
}

export const setAdStatus = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { status, reason }: StatusChange,
  { requestId }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const ad = await lockAnyAd(trx, actor, id);
    const { maxAdDurationDays } = await readSettings(trx);
    if (status === 'active') await approveAd(trx, actor, ad, maxAdDurationDays || null);
    else await removeAd(trx, actor, ad, { reason: 'other', note: reason || null });
    const verb = status === 'active' ? 'approve' : 'reject';
    const action = ad.state === 'pending' ? `ad.${verb}` : `ad.${status === 'active' ? 'activate' : 'deactivate'}`;
    const details = { before: ad.state, after: status, reason: reason || null };
    await recordAudit(trx, actor, { action, targetType: 'ad', targetId: id, details, requestId });
  });

export const deleteAnyAd = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const ad = await lockAnyAd(trx, actor, id);
    // the owner learns the reason, and reporters the outcome
    await removeAd(trx, actor, ad, { reason: 'other', note: reason?.slice(0, LIMITS.reason) || null });
    await softDeleteAds(trx, [id]);
    const details = { userId: ad.user_id, state: ad.state, reason };
    await recordAudit(trx, actor, { action: 'ad.delete', targetType: 'ad', targetId: id, details, requestId });
  });

/** Grants the admin role, or revokes it and ends the user's sessions. Returns whether anything changed. */
export const setAdminRole = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  isGranted: boolean,
  { requestId, reason }: AuditContext = {},
): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    const { user, admins } = await lockUserAndAdmins(trx, id);
    await lockActiveAdmin(trx, actor);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    if ((user.role === 'admin') === isGranted) return false;
    if (isGranted && user.banned_at !== null) throw conflict('A banned user cannot become an administrator');
    if (!isGranted && isSelf(actor, id)) throw conflict('You cannot revoke your own role');
    if (!isGranted && isLastAdmin(id, admins)) throw new AppError('last_admin');
    await updateUser(trx, id, { role: isGranted ? 'admin' : 'user' });
    if (!isGranted) await endSessions(trx, { userId: id });
    const action = isGranted ? 'user.grant-admin' : 'user.revoke-admin';
    await recordAudit(trx, actor, { action, ...target(id), details: { reason }, requestId });
    return true;
  });

/** Locks the user and all administrators, after checking that the actor may remove the user. */
const lockRemovable = async (trx: Trx, actor: Actor, id: string, verb: string): Promise<UserRow> => {
  const { user, admins } = await lockUserAndAdmins(trx, id);
  await lockActiveAdmin(trx, actor);
  if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
  if (mayRemoveUser(actor, id, admins)) return user;
  throw isSelf(actor, id) ? conflict(`You cannot ${verb} yourself`) : new AppError('last_admin');
};

const lockUser = async (trx: Trx, actor: Actor, id: string): Promise<UserRow> => {
  await lockActiveAdmin(trx, actor);
  const user = await lockUserForUpdate(trx, id);
  if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
  return user;
};

/**
 * Bans a user. On commit their sessions end, their ads are hidden, and signing in and writing are refused; a job
 * updates the rows of further ads (isUpdatePending). A second ban changes the reason.
 */
export const banUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  reason = '',
  { requestId }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'ban');
    await ban(trx, user, reason || null);
    const details = { reason: reason || null, wasBanned: user.banned_at !== null };
    await recordAudit(trx, actor, { action: 'user.ban', ...target(id), details, requestId });
  });

export const unbanUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, actor, id);
    await unban(trx, user);
    const details = { wasBanned: user.banned_at !== null, banReason: user.ban_reason, reason };
    await recordAudit(trx, actor, { action: 'user.unban', ...target(id), details, requestId });
  });

/** Lets the X account of a user who was deleted while banned sign in again. Returns whether it was banned. */
export const unbanDeletedUser = (
  ctx: AppContext,
  actor: Actor,
  xId: string,
  { requestId, reason }: AuditContext = {},
): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const wasBanned = await deleteBan(trx, xId);
    const details = { wasBanned, deleted: true, reason };
    if (wasBanned) await recordAudit(trx, actor, { action: 'user.unban', targetType: 'x-account', details, requestId });
    return wasBanned;
  });

export const deleteUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'delete');
    await remove(trx, user);
    const details = { role: user.role, wasBanned: user.banned_at !== null, reason };
    await recordAudit(trx, actor, { action: 'user.delete', ...target(id), details, requestId });
  });

/** Grants or revokes the right to put external links on ads. Existing links are hidden after a revocation. */
export const setLinkOut = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  canLinkOut: boolean,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, actor, id);
    await updateUser(trx, id, { can_link_out: canLinkOut });
    const details = { before: user.can_link_out, after: canLinkOut, reason };
    await recordAudit(trx, actor, { action: 'user.link-out', ...target(id), details, requestId });
  });
