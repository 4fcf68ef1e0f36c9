import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { endTokens } from '../auth/token-repository.ts';
import { tellOfAccess } from '../notifications/access-news.ts';
import { deleteLinks } from '../sessions/recovery-links-repository.ts';
import { endSessions } from '../sessions/session-repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { switchOffWebhooksOf } from '../webhooks/deliveries-repository.ts';
import { deletePasskeys, hasWayIn } from './passkeys-repository.ts';
import { replaceCodes } from './recovery-repository.ts';

/** How many ways in were removed, and how many webhooks switched off. */
export interface Evicted {
  passkeys: number;
  codes: number;
  tokens: number;
  webhooks: number;
}

/**
 * Removes all passkeys, recovery codes, links and access tokens of a person, switches off their webhooks, which may tell a
 * stranger what happens, and ends their sessions, for an account that a stranger uses. X, the confirmed address and a password stay.
 * `alsoLast`: also if nothing lets the person in afterwards but a recovery. @throws {AppError} not_found, forbidden, conflict (the last way in)
 */
export const evict = (
  ctx: AppContext,
  actor: Actor,
  userId: string,
  { reason, alsoLast = false }: AuditContext & { alsoLast?: boolean } = {},
): Promise<Evicted> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockUserForUpdate(trx, userId);
    await lockActiveAdmin(trx, actor);
    if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
    const removed = {
      passkeys: await deletePasskeys(trx, userId),
      codes: await replaceCodes(trx, userId, []),
      tokens: await endTokens(trx, userId),
      webhooks: await switchOffWebhooksOf(trx, userId),
    };
    if (removed.passkeys > 0 && !alsoLast && !(await hasWayIn(trx, userId))) throw conflict('errors.onlyPasskeys');
    await deleteLinks(trx, userId);
    await endSessions(trx, { userId });
    await tellOfAccess(trx, ctx, {
      userId,
      params: { is: 'secured' },
    });
    const details = { ...removed, reason };
    await recordAudit(trx, actor, { action: 'user.evict', target: ['user', userId], details });
    return removed;
  });
