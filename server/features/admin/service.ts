import type { Settings } from '../../../contract/admin.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, forbidden, notFound } from '../../errors.ts';
import { type Actor, isAdmin, isSelf, mayRemoveUser } from '../../policy.ts';
import { lockAdForUpdate, setAdState, softDeleteAds } from '../ads/repository.ts';
import { recordAudit } from '../audit/repository.ts';
import { deleteBan } from '../auth/repository.ts';
import { readSettings, writeSettings } from '../settings/repository.ts';
import { allowManyAds, anonymizeUser, endSessions, hideAds, lockWithAdmins } from '../users/removal-repository.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { lockActiveAdmin } from '../users/service.ts';

const lockAnyAd = async (trx: Trx, actor: Actor, id: string): Promise<AdRow> => {
  await lockActiveAdmin(trx, actor);
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || ad.state === 'deleted') throw notFound('Ad not found');
  return ad;
};

export interface StatusChange {
  status: 'active' | 'inactive';
  /** The owner sees it. */
  reason?: string | undefined;
}

/** Approves or activates an ad (its time begins anew if it was not on the market), or rejects or deactivates it. */
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
    await setAdState(trx, ad, { status, reason: reason || null, days: maxAdDurationDays || null });
    const verb = status === 'active' ? 'approve' : 'reject';
    const action = ad.state === 'pending' ? `ad.${verb}` : `ad.${status === 'active' ? 'activate' : 'deactivate'}`;
    const details = { before: ad.state, after: status, reason: reason || null };
    await recordAudit(trx, actor, { action, targetType: 'ad', targetId: id, details, requestId });
  });

/** Deletes any ad. */
export const deleteAnyAd = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const ad = await lockAnyAd(trx, actor, id);
    await softDeleteAds(trx, { id });
    const details = { userId: ad.user_id, state: ad.state, reason };
    await recordAudit(trx, actor, { action: 'ad.delete', targetType: 'ad', targetId: id, details, requestId });
  });

const setRole = async (trx: Trx, user: UserRow, role: UserRow['role']): Promise<void> => {
  await trx('users').where({ id: user.id }).update({ role });
  // whoever was an administrator a moment ago signs in anew
  if (role === 'user') await endSessions(trx, user.id);
};

/** Makes a user an administrator, or takes that away and ends their sessions. Says whether anything changed. */
export const setAdminRole = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  shallBeAdmin: boolean,
  { requestId, reason }: AuditContext = {},
): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    if (!isAdmin(actor)) throw forbidden();
    const { user, admins } = await lockWithAdmins(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    if ((user.role === 'admin') === shallBeAdmin) return false;
    if (shallBeAdmin && user.banned_at !== null) throw conflict('A banned user cannot become an administrator');
    if (!shallBeAdmin && isSelf(actor, id)) throw conflict('You cannot revoke your own role');
    if (!shallBeAdmin && admins.length === 1 && admins[0]?.id === id) throw new AppError('last_admin');
    await setRole(trx, user, shallBeAdmin ? 'admin' : 'user');
    const action = shallBeAdmin ? 'user.grant-admin' : 'user.revoke-admin';
    await recordAudit(trx, actor, { action, targetType: 'user', targetId: id, details: { reason }, requestId });
    return true;
  });

/** Replaces the platform's settings. They hold from the next write on, on every replica: each write reads them. */
export const updateSettings = (
  ctx: AppContext,
  actor: Actor,
  settings: Settings,
  { requestId, reason }: AuditContext = {},
): Promise<Settings> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const after = { ...settings, bannedWords: [...new Set(settings.bannedWords)] };
    const before = await writeSettings(trx, after, actor.kind === 'user' ? actor.id : null);
    await recordAudit(trx, actor, { action: 'settings.update', details: { before, after, reason }, requestId });
    return after;
  });

/** Where an act of the administration came from, for the audit log. */
export interface AuditContext {
  requestId?: string;
  /** An operator's reason; nobody else sees it. */
  reason?: string | undefined;
}

/** The person, locked together with all administrators, once it is settled that this actor may remove them. */
const lockRemovable = async (trx: Trx, actor: Actor, id: string, verb: string): Promise<UserRow> => {
  const { user, admins } = await lockWithAdmins(trx, id);
  await lockActiveAdmin(trx, actor);
  if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
  if (mayRemoveUser(actor, id, admins)) return user;
  throw isSelf(actor, id) ? conflict(`You cannot ${verb} yourself`) : new AppError('last_admin');
};

const target = (id: string) => ({ targetType: 'user', targetId: id });

/**
 * Bans a user: sessions end, ads leave public view, signing in and writing are refused. Everything in one transaction,
 * the audit entry too. Banning again changes the reason.
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
    await trx('users')
      .where({ id })
      .update({ banned_at: user.banned_at ?? trx.fn.now(), ban_reason: reason || null });
    await endSessions(trx, id);
    await hideAds(trx, id, true);
    const details = { reason: reason || null, wasBanned: user.banned_at !== null };
    await recordAudit(trx, actor, { action: 'user.ban', ...target(id), details, requestId });
  });

/** Lifts a ban; the ads come back as far as their time is not over. */
export const unbanUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const user = await lockUserForUpdate(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    await allowManyAds(trx);
    await trx('users').where({ id }).update({ banned_at: null, ban_reason: null });
    await hideAds(trx, id, false);
    const details = { wasBanned: user.banned_at !== null, banReason: user.ban_reason, reason };
    await recordAudit(trx, actor, { action: 'user.unban', ...target(id), details, requestId });
  });

/** Lets an X account sign in again whose person was deleted while banned. */
export const liftBanOf = (
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

/** Deletes a user with profile, ads, pictures, favorites, sessions and X tokens; their messages stay for the other party. */
export const deleteUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'delete');
    await softDeleteAds(trx, { user_id: id });
    await anonymizeUser(trx, id);
    const details = { role: user.role, wasBanned: user.banned_at !== null, reason };
    await recordAudit(trx, actor, { action: 'user.delete', ...target(id), details, requestId });
  });

/** Lets a user put external links on ads, or takes that away; the links are hidden then. */
export const setLinkOut = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  canLinkOut: boolean,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const user = await lockUserForUpdate(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    await trx('users').where({ id }).update({ can_link_out: canLinkOut });
    const details = { before: user.can_link_out, after: canLinkOut, reason };
    await recordAudit(trx, actor, { action: 'user.link-out', ...target(id), details, requestId });
  });
