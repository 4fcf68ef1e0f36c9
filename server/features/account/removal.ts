import type { AppContext } from '../../app-context.ts';
import { forEachDue } from '../../db/bulk.ts';
import { publish } from '../../db/events.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { isLastAdmin, isShutOut, isSuspended, type UserActor } from '../../policy.ts';
import { updateSellerAds } from '../ads/repository.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { deleteEndedBans, insertBan } from '../auth/repository.ts';
import { endTokens } from '../auth/token-repository.ts';
import { endOffersAndReservations } from '../deals/endings-repository.ts';
import { resumePhotos } from '../imports/resume-photos.ts';
import { deleteNotificationsAbout, listDeletedSources } from '../notifications/repository.ts';
import { endSessions } from '../sessions/session-repository.ts';
import { lockActorWhileSuspended } from '../users/active-actor.ts';
import {
  endExpiredSuspension,
  listExpiredSuspensions,
  listUsersWithPendingAds,
  lockUserAndAdmins,
  lockUserForUpdate,
  setBan,
  setSuspension,
  setSuspensionEnd,
  updateUser,
} from '../users/repository.ts';
import { disconnectAccount } from '../x-posts/tokens.ts';
import { anonymizeUser } from './repository.ts';

/** Deletes the actor: profile, ads, images, favorites, sessions and X tokens. @throws {AppError} last_admin */
export const deleteMe = (ctx: AppContext, actor: UserActor, { requestId }: AuditContext = {}): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { admins } = await lockUserAndAdmins(trx, actor.id);
    const user = await lockActorWhileSuspended(trx, actor);
    if (isLastAdmin(actor.id, admins)) throw new AppError('last_admin');
    await remove(trx, user);
    const details = { role: user.role, self: true };
    await recordAudit(trx, actor, { action: 'user.delete', target: ['user', actor.id], details, requestId });
  });

/** Ads per transaction of a job. A user may have tens of thousands, each in ten indexes. */
const BATCH = 500;
/** Ads that the request itself changes, so that most people's are done at once and nobody waits for a seller of thousands. */
const FIRST_BATCH = 20;

// Bans, suspensions and their ends: only the decision about them calls these (reports/take-decision.ts, give-back.ts).
type Person = Pick<UserRow, 'id'>;

export async function ban(trx: Trx, { id }: Person, reason: string | null): Promise<void> {
  await setBan(trx, id, { reason });
  await endSessions(trx, { userId: id });
  await endTokens(trx, id);
  await beginAdsUpdate(trx, id);
  await endOffersAndReservations(trx, { userId: id });
}

export async function unban(trx: Trx, { id }: Person): Promise<void> {
  await setBan(trx, id, null);
  await beginAdsUpdate(trx, id);
}

/**
 * Hides the user's ads and refuses writes until then. Sessions stay, for the statement of reasons and an appeal. Open
 * offers and reservations end for good.
 */
export async function suspend(trx: Trx, { id }: Person, days: number): Promise<void> {
  await setSuspension(trx, id, days);
  await beginAdsUpdate(trx, id);
  await endOffersAndReservations(trx, { userId: id });
}

/** Replaces the end of a suspension; null ends it. */
export async function moveSuspensionEnd(trx: Trx, { id }: Person, until: string | null): Promise<void> {
  await setSuspensionEnd(trx, id, until);
  await beginAdsUpdate(trx, id);
}

/** Clears the marks of suspensions that are over, and restores the ads as far as their time is not over. */
export async function endExpiredSuspensions({ db, log }: AppContext): Promise<void> {
  await deleteEndedBans(db);
  const total = await forEachDue(db, {
    pipeline: 'end-suspensions',
    list: (limit) => listExpiredSuspensions(db, limit),
    idOf: (id) => id,
    work: endIfExpired,
    logFailure: (err, userId) => log.error({ err, userId }, 'a suspension could not be ended'),
  });
  if (total > 0) log.info({ users: total }, 'suspensions ended by time');
}

const endIfExpired = async (trx: Trx, id: string): Promise<boolean> => {
  const isEnded = await endExpiredSuspension(trx, id);
  if (isEnded) await beginAdsUpdate(trx, id);
  return isEnded;
};

/**
 * Deletes a user and all their data except messages, which stay for the other participant. A ban outlives the user, and
 * so does the rest of a suspension.
 */
export async function remove(trx: Trx, user: UserRow): Promise<void> {
  const { id, x_id, banned_at, suspended_until } = user;
  if (x_id && banned_at) await insertBan(trx, x_id, { banned_at, ends_at: null });
  else if (x_id && isSuspended(user, getNow(trx)))
    await insertBan(trx, x_id, { banned_at: getNow(trx).toISOString(), ends_at: suspended_until });
  await endSessions(trx, { userId: id });
  await disconnectAccount(trx, id);
  await anonymizeUser(trx, id);
  if ((await deleteNotificationsAbout(trx, id, BATCH)) === BATCH) await enqueueNotificationsRemoval(trx, id);
  await beginAdsUpdate(trx, id);
  await endOffersAndReservations(trx, { userId: id });
}

const enqueueNotificationsRemoval = (trx: Trx, userId: string): Promise<void> =>
  enqueue(trx, 'delete-notifications-about', { userId }, { key: `notifications-about-${userId}` });

/** Deletes the remaining notifications about a deleted user: a seller may have had many followers. */
export const finishNotificationsRemoval = async ({ db }: Pick<AppContext, 'db'>, userId: string): Promise<void> => {
  while ((await inTransaction(db, (trx) => deleteNotificationsAbout(trx, userId, BATCH))) === BATCH);
};

/**
 * Starts to change a user's ads after a ban, a suspension, their end, or a deletion. Public reads check the seller's
 * row (SELECT_ADS), so the decision takes effect immediately. This transaction changes the first batch; a job changes
 * the rest.
 */
async function beginAdsUpdate(trx: Trx, userId: string): Promise<void> {
  const user = (await lockUserForUpdate(trx, userId))!;
  const isPending = (await updateSellerAds(trx, user, FIRST_BATCH)) === FIRST_BATCH;
  if (isPending !== user.ads_pending) await updateUser(trx, userId, { ads_pending: isPending });
  if (isPending) await enqueueAdsUpdate(trx, userId);
  else await resumePhotosOf(trx, user);
  // notifications about the ads are hidden, or shown again
  await publish(trx, 'notifications', null);
}

/** Photos of the ads of a seller who was shut out have waited. */
async function resumePhotosOf(trx: Trx, user: UserRow): Promise<void> {
  if (user.deleted_at === null && !isShutOut(user, getNow(trx))) await resumePhotos(trx, user.id);
}

const enqueueAdsUpdate = (trx: Trx, userId: string): Promise<void> =>
  enqueue(trx, 'update-seller-ads', { userId }, { key: `seller-ads-${userId}` });

/** Enqueues what bans and deletions left to do after a restore: a backup contains no jobs. */
export async function resumeRemovals(trx: Trx): Promise<void> {
  for (const userId of await listUsersWithPendingAds(trx)) await enqueueAdsUpdate(trx, userId);
  for (const userId of await listDeletedSources(trx)) await enqueueNotificationsRemoval(trx, userId);
}

/**
 * Changes the remaining ads of a user who was banned, suspended, unbanned or deleted, in short transactions. Several calls may
 * run in parallel, and the user's state may change meanwhile: each batch locks the user's row and follows it.
 */
export async function finishAdsUpdate(
  { db }: Pick<AppContext, 'db'>,
  userId: string,
  onBatch: (changed: number) => void | Promise<void> = () => {},
): Promise<void> {
  for (let isPending = true, total = 0; isPending; ) {
    const changed = await inTransaction(db, async (trx) => {
      const user = await lockUserForUpdate(trx, userId);
      if (!user?.ads_pending) return 0;
      const changed = await updateSellerAds(trx, user, BATCH);
      if (changed === BATCH) return changed;
      await updateUser(trx, userId, { ads_pending: false });
      await resumePhotosOf(trx, user);
      return changed;
    });
    isPending = changed === BATCH;
    total += changed;
    await onBatch(total);
  }
}
