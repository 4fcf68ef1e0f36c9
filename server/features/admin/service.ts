import { LIMITS } from '../../../contract/limits.ts';
import type { ReportReason } from '../../../contract/reports.ts';
import { countCharacters, cutText } from '../../../contract/text.ts';
import { ROLES, type Role } from '../../../contract/user.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '../../errors.ts';
import {
  type Actor,
  isAdmin,
  isLastAdmin,
  isSelf,
  isShutOut,
  isSuspended,
  mayActOn,
  mayModerateAds,
  mayRemoveUser,
} from '../../policy.ts';
import { hasWayIn } from '../access/passkeys-repository.ts';
import { remove } from '../account/removal.ts';
import { lockAdForUpdate, softDeleteAds } from '../ads/repository.ts';
import { type AuditContext, type AuditEntry, recordAudit } from '../audit/repository.ts';
import { deleteBan } from '../auth/repository.ts';
import { endTokens } from '../auth/token-repository.ts';
import { lockOpenCase } from '../reports/case-repository.ts';
import { approveAd, liftSanctions } from '../reports/give-back.ts';
import { aboutAd, aboutPerson, type Taking, takeDecision } from '../reports/take-decision.ts';
import { deleteLinks } from '../sessions/recovery-links-repository.ts';
import { endSessions } from '../sessions/session-repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveAdmin, lockActiveStaff } from '../users/active-actor.ts';
import { findUser, lockUserAndAdmins, lockUserForUpdate, updateUser } from '../users/repository.ts';

const lockAnyAd = async (trx: Trx, id: string): Promise<AdRow> => {
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || ad.state === 'deleted') throw notFound('errors.adNotFound');
  return ad;
};

interface StatusChange {
  status: 'active' | 'inactive';
  reason?: string | undefined;
  /** Of the ad that the decision is about. */
  version?: string | undefined;
}

export const setAdStatus = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { status, reason, version }: StatusChange,
  { requestId }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveStaff(trx, actor);
    if (countCharacters(reason ?? '') > LIMITS.reason)
      throw invalid({ reason: { key: 'fields.tooLong', values: { max: String(LIMITS.reason) } } });
    const ad = await lockAnyAd(trx, id);
    const owner = (await findUser(trx, ad.user_id))!;
    if (!mayModerateAds(actor, owner)) throw forbidden('errors.adminDecidesAd');
    if (version !== undefined && version !== ad.updated_at) throw conflict('errors.adChangedLook');
    if (status === 'active' && ad.state === 'paused') throw conflict('errors.pausedByOwner');
    const { maxAdDurationDays } = await readSettings(trx);
    const verb = status === 'active' ? 'approve' : 'reject';
    const action = ad.state === 'pending' ? `ad.${verb}` : `ad.${status === 'active' ? 'activate' : 'deactivate'}`;
    const details = { before: ad.state, after: status, reason: reason || null };
    const audit = { action, target: ['ad', id], details, requestId } as const;
    if (status === 'active') {
      await approveAd(trx, actor, ad, maxAdDurationDays || null);
      await recordAudit(trx, actor, audit);
    } else await removeAd(trx, actor, ad, { note: reason }, audit);
  });

/** Takes the ad down, and closes the open case about it. */
const removeAd = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  taking: Pick<Taking, 'note' | 'isDeletion'>,
  audit: AuditEntry,
): Promise<void> => {
  const openCase = await lockOpenCase(trx, 'ad', ad.id);
  await takeDecision(trx, actor, aboutAd(ad, openCase), { ...taking, action: 'remove', reason: 'other' }, audit);
};

export const deleteAnyAd = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const ad = await lockAnyAd(trx, id);
    const details = { userId: ad.user_id, state: ad.state, reason };
    const audit = { action: 'ad.delete', target: ['ad', id], details, requestId } as const;
    // the owner learns the reason, and reporters the outcome
    await removeAd(trx, actor, ad, { note: cutText(reason ?? '', LIMITS.reason), isDeletion: true }, audit);
    await softDeleteAds(trx, [id]);
  });

/**
 * Changes a user's role. A lower role ends their sessions, and the sign-in with a password. Returns whether anything changed.
 * @throws {AppError} not_found, forbidden, conflict (also if that password is the last way in), last_admin
 */
export const setRole = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  role: Role,
  { requestId, reason }: AuditContext = {},
): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    const { user, admins } = await lockUserAndAdmins(trx, id, actor);
    await lockActiveAdmin(trx, actor);
    if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
    if (user.role === role) return false;
    const isRaised = ROLES.indexOf(role) > ROLES.indexOf(user.role);
    if (isSelf(actor, id)) throw conflict('errors.changeOwnRole');
    if (!mayActOn(actor, user)) throw forbidden('errors.operatorOnly');
    if (isRaised && isShutOut(user, getNow(trx))) throw conflict('errors.shutOutRights');
    if (!isRaised && isLastAdmin(id, admins)) throw new AppError('last_admin');
    const couldEnter = await hasWayIn(trx, id);
    await updateUser(trx, id, { role });
    if (couldEnter && !(await hasWayIn(trx, id))) throw conflict('errors.onlyPassword');
    if (!isRaised) {
      await endSessions(trx, { userId: id });
      await endTokens(trx, id, { forStaff: true });
      await deleteLinks(trx, id);
    }
    const details = { before: user.role, after: role, reason };
    await recordAudit(trx, actor, { action: 'user.role', target: ['user', id], details, requestId });
    return true;
  });

/** Locks the user and all administrators, after checking that the actor may do this to the user. */
const lockRemovable = async (
  trx: Trx,
  actor: Actor,
  id: string,
  verb: 'warn' | 'suspend' | 'ban' | 'delete',
): Promise<UserRow> => {
  const { user, admins } = await lockUserAndAdmins(trx, id, actor);
  await lockActiveStaff(trx, actor);
  if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
  if (mayRemoveUser(actor, user, admins)) return user;
  if (isSelf(actor, id)) throw conflict(`errors.verbSelf_${verb}`);
  throw mayActOn(actor, user) ? new AppError('last_admin') : forbidden('errors.operatorOnly');
};

export interface Warning {
  reason: ReportReason;
  /** For the person concerned. */
  note?: string | undefined;
}

export interface Suspension extends Warning {
  days: number;
}

/** Warns a user, who sees the reason and may appeal. @throws {AppError} not_found, forbidden, conflict, last_admin */
export const warnUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { reason, note }: Warning,
  { requestId, reason: why }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'warn');
    if (user.banned_at !== null) throw conflict('errors.bannedAlready');
    const details = { for: reason, note: note || null, reason: why };
    const audit = { action: 'user.warn', target: ['user', id], details, requestId } as const;
    await takeDecision(trx, actor, aboutPerson(user), { action: 'warn', reason, note }, audit);
  });

/**
 * Suspends a user for this many days from now; a longer suspension stays as it is. On commit their ads are hidden and
 * their session is restricted. @throws {AppError} not_found, forbidden, conflict, last_admin
 */
export const suspendUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { days, reason, note }: Suspension,
  { requestId, reason: why }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockRemovable(trx, actor, id, 'suspend');
    if (user.banned_at !== null) throw conflict('errors.bannedAlready');
    const details = {
      days,
      for: reason,
      note: note || null,
      wasSuspended: isSuspended(user, getNow(trx)),
      reason: why,
    };
    const audit = { action: 'user.suspend', target: ['user', id], details, requestId } as const;
    await takeDecision(trx, actor, aboutPerson(user), { action: 'suspend', reason, note, days }, audit);
  });

/**
 * Bans a user. On commit their sessions end, their ads are hidden, and signing in and writing are refused; a job
 * updates the rows of further ads (isUpdatePending). A second ban changes the reason. @throws {AppError} not_found,
 * forbidden, conflict (the person appeals the first ban), last_admin
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
    await lockActiveAdmin(trx, actor);
    const details = { reason: reason || null, wasBanned: user.banned_at !== null };
    const audit = { action: 'user.ban', target: ['user', id], details, requestId } as const;
    await takeDecision(trx, actor, aboutPerson(user), { action: 'ban', reason: 'other', note: reason }, audit);
  });

/** Lifts a ban, or ends a suspension early; moderators only do the latter. */
export const unbanUser = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { requestId, reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { user } = await lockUserAndAdmins(trx, id, actor);
    await lockActiveStaff(trx, actor);
    if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
    if (!mayActOn(actor, user)) throw forbidden('errors.operatorOnly');
    if (user.banned_at !== null && !isAdmin(actor)) throw forbidden('errors.adminLiftsBan');
    await liftSanctions(trx, user);
    const details = {
      wasBanned: user.banned_at !== null,
      wasSuspended: isSuspended(user, getNow(trx)),
      banReason: user.ban_reason,
      reason,
    };
    await recordAudit(trx, actor, { action: 'user.unban', target: ['user', id], details, requestId });
  });

/** Lets the X account of a user who was deleted while banned or suspended sign in again. Returns whether it was. */
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
    if (wasBanned) await recordAudit(trx, actor, { action: 'user.unban', target: ['x-account'], details, requestId });
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
    await lockActiveAdmin(trx, actor);
    await remove(trx, user);
    const details = { role: user.role, wasBanned: user.banned_at !== null, reason };
    await recordAudit(trx, actor, { action: 'user.delete', target: ['user', id], details, requestId });
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
    await lockActiveAdmin(trx, actor);
    const user = await lockUserForUpdate(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
    await updateUser(trx, id, { can_link_out: canLinkOut });
    const details = { before: user.can_link_out, after: canLinkOut, reason };
    await recordAudit(trx, actor, { action: 'user.link-out', target: ['user', id], details, requestId });
  });
