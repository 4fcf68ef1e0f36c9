import { createHash } from 'node:crypto';
import type { EmailState } from '../../../contract/email.ts';
import { speaking, t } from '../../../contract/i18n.ts';
import { LIMITS, type LimitName, RATE_LIMITS } from '../../../contract/limits.ts';
import { cutText } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { countInWindow } from '../../db/rate-limits.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, unauthenticated } from '../../errors.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import { enqueue, type JobPayloads, type JobRun } from '../../jobs/queue.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { type Actor, getUserId, operator, type UserActor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { readSite } from '../brand/site.ts';
import { deleteLinks } from '../sessions/recovery-links-repository.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { endSessions, renewSession } from '../sessions/session-repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUsers } from '../users/repository.ts';
import { type AccessNews, tellOfAccess } from './access-news.ts';
import {
  type AddressRow,
  confirmPendingAddress,
  dropPendingAddress,
  findAddress,
  getConfirmedAddress,
  getOpeningAddress,
  getXAddress,
  lockAddress,
  removeAddress,
  setMailPaused,
  setPendingAddress,
  setRefusedAddress,
} from './address-repository.ts';
import { readLink, signLink } from './link-tokens.ts';
import { buildSystemMail, type MailContext } from './mail-layout.ts';
import { sendMailOfJob, waitForMailSlot } from './mail-slots.ts';
import { insertNotification } from './repository.ts';

const presentEmail = ({ config, mailer }: AppContext, row: AddressRow): EmailState => {
  const address = getConfirmedAddress(row, config);
  const xAddress = getXAddress(row, config);
  const { pending_address, pending_until, refused_address, refusal } = row;
  return {
    isOffered: mailer.isEnabled,
    address,
    isFromX: row.uses_x && address !== null,
    opensAccount: getOpeningAddress(row, config) !== null,
    xAddress: row.uses_x || xAddress === row.refused_address ? null : xAddress,
    pending: pending_address === null ? null : { address: pending_address, expiresAt: pending_until! },
    refused: refused_address === null ? null : { address: refused_address, reason: refusal! },
    isPaused: row.paused_at !== null,
  };
};

export async function getEmail(ctx: AppContext, actor: UserActor): Promise<EmailState> {
  const row = await findAddress(ctx.db, actor.id);
  if (row === undefined) throw unauthenticated();
  return presentEmail(ctx, row);
}

type Change = (trx: Trx, row: AddressRow) => Promise<string | undefined>;

/** Runs a change of the actor's own address and records the action that it returns. */
const changeOwn = (ctx: AppContext, actor: UserActor, by: SessionChange, change: Change): Promise<EmailState> =>
  inTransaction(ctx.db, async (trx) => {
    // one change at a time, also before the address has a row to lock
    await lockUsers(trx, [actor.id]);
    await lockActiveActor(trx, actor);
    const before = (await lockAddress(trx, actor.id))!;
    const action = await change(trx, before);
    if (action) await recordAudit(trx, actor, { action, target: ['user', actor.id], requestId: by.requestId });
    await concludeAddressChange(trx, ctx, before, by);
    return presentEmail(ctx, (await findAddress(trx, actor.id))!);
  });

/**
 * An address can open the account, so when that one changes, recovery links that wait and all sessions but the person's own end, and
 * theirs gets another id. The person hears of each change, and so does who reads the former address.
 */
export async function concludeAddressChange(
  trx: Trx,
  ctx: AppContext,
  before: AddressRow,
  { sessionHash, renewal }: SessionChange = {},
): Promise<void> {
  const after = await findAddress(trx, before.user_id);
  if (after === undefined) return;
  if (getOpeningAddress(before, ctx.config) !== getOpeningAddress(after, ctx.config)) {
    await endSessions(trx, { userId: before.user_id, except: sessionHash });
    await deleteLinks(trx, before.user_id);
    if (renewal) await renewSession(trx, renewal);
  }
  const params = toNews(before, after, ctx);
  if (params) await tellOfAccess(trx, ctx, { userId: before.user_id, params }, getConfirmedAddress(before, ctx.config));
}

/** What to tell of a change. The first address opens no account if its link was clicked signed out: nobody needs to hear of it. */
function toNews(before: AddressRow, after: AddressRow, { config }: AppContext): AccessNews['params'] | undefined {
  const [former, address] = [getConfirmedAddress(before, config), getConfirmedAddress(after, config)];
  if (address === null) return former === null ? undefined : { is: 'addressRemoved' };
  const isWayIn = getOpeningAddress(after, config) !== null;
  if (isWayIn && getOpeningAddress(before, config) === null) return { is: 'addressAdded', address };
  return former === null || former === address ? undefined : { is: 'addressChanged', address };
}

const isSame = (a: string, b: string | null): boolean => a.toLowerCase() === b?.toLowerCase();

/**
 * Sends a link to this address, which counts once the link is confirmed; until then the earlier address does. The
 * address of the X account needs no link, nor does the confirmed one, unless it does not open the account yet. @throws {AppError} conflict (no mail server), rate_limited
 */
export const setEmail = (
  ctx: AppContext,
  actor: UserActor,
  email: string,
  change: SessionChange = {},
): Promise<EmailState> =>
  changeOwn(ctx, actor, change, async (trx, row) => {
    checkOffered(ctx);
    if (!isSame(email, row.refused_address)) {
      const isCurrent = isSame(email, getConfirmedAddress(row, ctx.config));
      const isWaitingForOther = row.pending_address !== null && !isSame(email, row.pending_address);
      if (isCurrent && (isWaitingForOther || getOpeningAddress(row, ctx.config) !== null))
        return void (await dropPendingAddress(trx, actor.id));
      if (isSame(email, getXAddress(row, ctx.config))) {
        await removeAddress(trx, actor.id, { usesX: true });
        return 'email.set';
      }
    }
    await sendLink(trx, ctx, actor.id, email);
    return 'email.set';
  });

/** Removes the actor's addresses, also the one of the X account: no more mail is sent. */
export const removeEmail = (ctx: AppContext, actor: UserActor, change: SessionChange = {}): Promise<EmailState> =>
  changeOwn(ctx, actor, change, async (trx) => {
    await removeAddress(trx, actor.id, { usesX: false });
    return 'email.remove';
  });

/** Switches all mail to the actor off, or on again. */
export const pauseEmail = (
  ctx: AppContext,
  actor: UserActor,
  isPaused: boolean,
  change: SessionChange = {},
): Promise<EmailState> =>
  changeOwn(ctx, actor, change, async (trx, row) => {
    if ((row.paused_at !== null) === isPaused) return undefined;
    await setMailPaused(trx, actor.id, isPaused);
    return isPaused ? 'email.pause' : 'email.resume';
  });

function checkOffered({ mailer }: AppContext): void {
  if (!mailer.isEnabled) throw conflict('errors.noMail');
}

async function sendLink(trx: Trx, ctx: AppContext, userId: string, email: string): Promise<void> {
  await countConfirmation(trx, ctx, 'confirmationsOfUser', userId);
  // mail to name+1@ and name+2@ arrives at name@
  const mailbox = email.toLowerCase().replace(/\+[^@]*/, '');
  const hash = createHash('sha256').update(mailbox).digest('base64url');
  await countConfirmation(trx, ctx, 'confirmationsOfAddress', hash);
  const pendingId = await setPendingAddress(trx, userId, email, { hours: LIMITS.emailLinkHours });
  await enqueue(trx, 'mail-confirmation', { userId, pendingId }, { key: `confirmation ${userId}` });
}

/** Confirmation mail goes to addresses of unknown owners, so it must not serve to send mail to strangers. */
async function countConfirmation(trx: Trx, { config }: AppContext, name: LimitName, key: string): Promise<void> {
  const { points, seconds } = RATE_LIMITS[name];
  const { count, secondsLeft } = await countInWindow(trx, `${name}:${key}`, seconds);
  if (config.rateLimitScale === 0 || count <= points * config.rateLimitScale) return;
  throw new AppError('rate_limited', { key: 'errors.enoughMail', retryAfter: secondsLeft });
}

const isOver = (time: string | null, now: Date): boolean => time !== null && Date.parse(time) <= now.valueOf();

/** Locks the address that this link was sent to. @throws {AppError} link_invalid, link_used */
async function lockLinkedAddress(trx: Trx, ctx: AppContext, token: string) {
  const link = readLink(ctx, 'verify-email', token);
  if (link.state === 'invalid') throw new AppError('link_invalid');
  const { userId, pendingId } = link.payload;
  const row = await lockAddress(trx, userId);
  if (row?.confirmed_id === pendingId) throw new AppError('link_used', { key: 'errors.addressConfirmed' });
  if (row === undefined || row.pending_id !== pendingId)
    throw new AppError('link_invalid', { key: 'errors.linkReplaced' });
  return { row, isExpired: link.state === 'expired' || isOver(row.pending_until, ctx.clock.now()) };
}

/**
 * Confirms the address that this link was sent to. The link alone is the permission to mail notifications there; only its person,
 * signed in, makes it an address that opens the account. @throws {AppError} link_invalid, link_used, link_expired
 */
export const verifyEmail = (
  ctx: AppContext,
  actor: Actor,
  token: string,
  change: SessionChange = {},
): Promise<{ address: string; opensAccount: boolean }> =>
  inTransaction(ctx.db, async (trx) => {
    const { row, isExpired } = await lockLinkedAddress(trx, ctx, token);
    if (isExpired) throw new AppError('link_expired');
    const isByPerson = getUserId(actor) === row.user_id;
    // one that was refused and is confirmed again stays the way in that it was
    const opensAccount = isByPerson || isSame(row.pending_address!, getOpeningAddress(row, ctx.config));
    await confirmPendingAddress(trx, row.user_id, opensAccount);
    await concludeAddressChange(trx, ctx, row, isByPerson ? change : {});
    const target = ['user', row.user_id] as const;
    await recordAudit(trx, actor, { action: 'email.confirm', target, requestId: change.requestId });
    return { address: row.pending_address!, opensAccount };
  });

/**
 * Sends another link to the address of this one, which may have expired. Returns the address. @throws {AppError}
 * link_invalid, link_used, conflict (no mail server), rate_limited
 */
export const resendLink = (ctx: AppContext, token: string): Promise<string> =>
  inTransaction(ctx.db, async (trx) => {
    checkOffered(ctx);
    const { row } = await lockLinkedAddress(trx, ctx, token);
    await sendLink(trx, ctx, row.user_id, row.pending_address!);
    return row.pending_address!;
  });

type LinkedAddress = Pick<AddressRow, 'user_id' | 'pending_address' | 'pending_id' | 'pending_until'>;

/** The mail with the link that confirms a pending address. */
export const buildConfirmationMail = (
  ctx: MailContext,
  { user_id: userId, pending_address, pending_id, pending_until }: LinkedAddress,
): EmailMessage =>
  speaking(ctx.texts, () => {
    const { siteName: site, publicUrl } = ctx.config;
    const seconds = Math.ceil((Date.parse(pending_until!) - ctx.clock.now().valueOf()) / 1000);
    const token = signLink(ctx, 'verify-email', { userId, pendingId: pending_id! }, seconds);
    return buildSystemMail(ctx, {
      to: pending_address!,
      subject: t('mails.confirmSubject', { site }),
      id: `confirmation-${pending_id}`,
      title: t('mails.confirmTitle'),
      body: [
        t('mails.confirmQuestion', { address: pending_address!, site }),
        t('mails.confirmLasts', { count: LIMITS.emailLinkHours }),
      ].join('\n\n'),
      actions: [{ label: t('mails.confirmAddress'), url: `${publicUrl}/verify-email?token=${token}` }],
      reason: t('mails.becauseConfirmation', { site }),
    });
  });

/**
 * Mails the link that confirms an address, unless the address is no longer pending. A mail server that refuses the mail
 * for good is not called again: the person may request another link.
 */
export async function mailConfirmation(
  ctx: AppContext,
  { userId, pendingId }: JobPayloads['mail-confirmation'],
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const findPending = async () => {
    const row = await findAddress(ctx.db, userId);
    return row?.pending_id !== pendingId || isOver(row.pending_until, ctx.clock.now()) ? undefined : row;
  };
  // what is over needs no slot
  if ((await findPending()) === undefined) return;
  await waitForMailSlot(ctx, { lane: 'all', signal });
  const row = await findPending();
  if (row === undefined) return;
  const texts = readTextsOf(row, ctx.config);
  const mail = buildConfirmationMail({ ...(await readSite(ctx)), clock: ctx.clock, texts }, row);
  const refusal = await sendMailOfJob(ctx, mail, { userId, pendingId });
  if (refusal?.failure === 'recipient')
    await inTransaction(ctx.db, (trx) => switchOffAddress(trx, userId, row.pending_address!, refusal.message));
}

const MAX_REFUSAL = 500;

/**
 * Sends no more mail to an address that a mail server refused for good, and notifies its user. `reason`: the mail server's
 * words. An address that the user has replaced meanwhile, or that is switched off already, changes nothing.
 */
export const switchOffAddress = async (trx: Trx, userId: string, address: string, reason: string): Promise<void> => {
  const row = await lockAddress(trx, userId);
  if (row === undefined) return;
  const isPending = row.pending_address === address;
  const isCurrent = (row.uses_x ? row.x_address : row.address) === address && row.refused_address !== address;
  if (!isPending && !isCurrent) return;
  const refusal = cutText(reason.replace(/[\s\p{C}]+/gu, ' ').trim(), MAX_REFUSAL) || '—';
  await setRefusedAddress(trx, row, { address, refusal });
  await insertNotification(trx, {
    userId,
    kind: 'notice',
    params: { is: 'addressRefused', address },
    url: '/dashboard#notification-settings',
  });
  await recordAudit(trx, operator('mail'), { action: 'email.refuse', target: ['user', userId] });
};
