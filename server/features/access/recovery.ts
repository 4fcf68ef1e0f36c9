import { createHash, randomBytes } from 'node:crypto';
import { LIMITS, RATE_LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { countInWindow } from '../../db/rate-limits.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { foldCase } from '../../lib/fold-case.ts';
import { type Actor, ANONYMOUS, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { admitGuess } from '../auth/sign-in-throttle.ts';
import { endTokens } from '../auth/token-repository.ts';
import { tellOfAccess } from '../notifications/access-news.ts';
import { findAddress, getOpeningAddress } from '../notifications/address-repository.ts';
import { deleteLinks, insertLink, type LinkRow, lockLink, useLink } from '../sessions/recovery-links-repository.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { endSessions } from '../sessions/session-repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { switchOffWebhooksOf } from '../webhooks/deliveries-repository.ts';
import { concludeChange } from './changes.ts';
import { checkMayEnter, lockForChange } from './passkeys.ts';
import { findHolder, findHolderOfCode, type HolderRow, replaceCodes, takeCode } from './recovery-repository.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Mails a link to the accounts with this confirmed address. A job looks for them, so that neither the answer nor its time
 * says whether there are any.
 */
export async function requestRecovery(ctx: AppContext, email: string): Promise<void> {
  const { points, seconds } = RATE_LIMITS.recoveryOfAddress;
  const key = hash(foldCase(email)).toString('base64url');
  const { count } = await countInWindow(ctx.db, `recoveryOfAddress:${key}`, seconds);
  const { rateLimitScale } = ctx.config;
  if (rateLimitScale > 0 && count > points * rateLimitScale) return;
  await inTransaction(ctx.db, (trx) => enqueue(trx, 'mail-recovery', { email }, { key: `recovery ${key}` }));
}

/** The address of the page with the button that signs this person in. A fragment is in no log of a server or proxy, and no referrer. */
export async function createLink(
  trx: Trx,
  { config }: Pick<AppContext, 'config'>,
  userId: string,
  address: string | null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertLink(trx, userId, hash(token), address);
  return `${config.publicUrl}/recover#token=${token}`;
}

/** A link that an operator hands over. Sessions and access tokens end when it is used, not before. @throws {AppError} not_found, conflict (banned), forbidden */
export const createOperatorLink = (
  ctx: AppContext,
  actor: Actor,
  userId: string,
  { reason }: AuditContext = {},
): Promise<string> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockUserForUpdate(trx, userId);
    await lockActiveAdmin(trx, actor);
    if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
    if (user.banned_at !== null) throw conflict('errors.bannedLink');
    const link = await createLink(trx, ctx, userId, null);
    await tellOfAccess(trx, ctx, {
      userId,
      params: { is: 'recoveryLinkMade', minutes: LIMITS.recoveryLinkMinutes },
    });
    await recordAudit(trx, actor, { action: 'user.recover-link', target: ['user', userId], details: { reason } });
    return link;
  });

/** Ends all sessions and access tokens, and switches off webhooks: somebody who lost their way in may have lost a device. */
async function enter(
  trx: Trx,
  ctx: AppContext,
  holder: HolderRow,
  how: 'link' | 'code',
  { requestId }: AuditContext,
): Promise<void> {
  await endSessions(trx, { userId: holder.user_id });
  await endTokens(trx, holder.user_id);
  await switchOffWebhooksOf(trx, holder.user_id);
  await deleteLinks(trx, holder.user_id);
  await tellOfAccess(trx, ctx, {
    userId: holder.user_id,
    params: { is: how === 'link' ? 'enteredByLink' : 'enteredByCode' },
  });
  const target = ['user', holder.user_id] as const;
  await recordAudit(trx, ANONYMOUS, { action: `recovery.${how}`, target, requestId });
}

/** Whether the person still has the address that the link was mailed to. */
async function leadsToAddress(trx: Trx, { config }: AppContext, { user_id, address }: LinkRow): Promise<boolean> {
  const row = await findAddress(trx, user_id);
  return address === null || (row !== undefined && getOpeningAddress(row, config) === address);
}

/**
 * The person whom this link lets in. The caller starts the session. @throws {AppError} link_invalid, link_used,
 * link_expired, invalid_credentials, account_banned
 */
export const recoverByLink = (ctx: AppContext, token: string, audit: AuditContext = {}): Promise<HolderRow> =>
  inTransaction(ctx.db, async (trx) => {
    const link = await lockLink(trx, hash(token));
    if (link === undefined) throw new AppError('link_invalid');
    if (link.used_at !== null) throw new AppError('link_used', { key: 'errors.linkUsedAsk' });
    if (Date.parse(link.expires_at) <= ctx.clock.now().valueOf()) throw new AppError('link_expired');
    await lockUserForUpdate(trx, link.user_id);
    const holder = await findHolder(trx, link.user_id);
    if (holder === undefined || !(await leadsToAddress(trx, ctx, link))) throw new AppError('link_invalid');
    checkMayEnter(ctx, holder);
    await useLink(trx, link);
    await enter(trx, ctx, holder, 'link', audit);
    return holder;
  });

/** 80 bits each, so that a fast hash is enough. Without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;

const createCode = (): string =>
  Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** "ABCD-EFGH-JKMN-PQRS" */
const formatCode = (code: string): string => code.match(/.{4}/g)!.join('-');

/** A code as it was made, however it was typed. */
const readCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

const hashCode = (code: string): Buffer => hash(`recovery code ${code}`);

/** The codes, which cannot be read again. Those of before end. */
export const makeCodes = (ctx: AppContext, actor: UserActor, change: SessionChange): Promise<string[]> =>
  inTransaction(ctx.db, async (trx) => {
    await lockForChange(trx, actor, change.sessionHash);
    const codes = Array.from({ length: LIMITS.recoveryCodes }, createCode);
    await replaceCodes(trx, actor.id, codes.map(hashCode));
    await concludeChange(trx, ctx, { userId: actor.id, params: { is: 'codesMade' } }, change);
    await recordAudit(trx, actor, {
      action: 'recovery.make-codes',
      target: ['user', actor.id],
      requestId: change.requestId,
    });
    return codes.map(formatCode);
  });

export const deleteCodes = (ctx: AppContext, actor: UserActor, change: SessionChange): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockForChange(trx, actor, change.sessionHash);
    const deleted = await replaceCodes(trx, actor.id, []);
    if (deleted === 0) return;
    await concludeChange(trx, ctx, { userId: actor.id, params: { is: 'codesDeleted', count: deleted } }, change);
    await recordAudit(trx, actor, {
      action: 'recovery.delete-codes',
      target: ['user', actor.id],
      requestId: change.requestId,
    });
  });

interface CodeAttempt {
  username: string;
  code: string;
  address: string;
  signal?: AbortSignal;
}

/**
 * The person whom this code lets in. The caller starts the session. An unknown name and a wrong code give the same error after the same
 * work; guesses at one account are slowed down, those from one address are refused. @throws {AppError} invalid_credentials,
 * account_banned, rate_limited
 */
export async function recoverByCode(
  ctx: AppContext,
  { username, code, address, signal }: CodeAttempt,
  audit: AuditContext = {},
): Promise<HolderRow> {
  const name = username.trim().replace(/^@/, '');
  const account = hash(foldCase(name)).toString('base64url');
  const keys = { slow: `recoveryCode:account:${account}`, refuse: `recoveryCode:address:${address}` };
  const refund = await admitGuess(ctx, 'recoveryCode', keys, signal);
  const codeHash = hashCode(readCode(code));
  const found = await findHolderOfCode(ctx.db, name, codeHash);
  const holder = await inTransaction(ctx.db, async (trx) => {
    if (found) await lockUserForUpdate(trx, found.user_id);
    const current = found && (await findHolder(trx, found.user_id));
    if (!current || !(await takeCode(trx, current.user_id, codeHash)))
      throw new AppError('invalid_credentials', {
        key: 'errors.wrongCode',
      });
    checkMayEnter(ctx, current);
    await enter(trx, ctx, current, 'code', audit);
    return current;
  });
  await refund();
  return holder;
}

/** Whether nothing has shut this person out since: see mayStillEnter of passkeys. */
export async function mayHolderEnter({ db }: AppContext, userId: string): Promise<boolean> {
  const holder = await findHolder(db, userId, true);
  return holder !== undefined && holder.banned_at === null && !holder.is_disabled;
}
