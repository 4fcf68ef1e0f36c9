import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { type Maintenance, readMaintenance, writeMaintenance } from './repository.ts';

/**
 * Closes the site on every replica until endMaintenance. During maintenance it changes the message and the retry time.
 */
export const startMaintenance = (
  ctx: AppContext,
  actor: Actor,
  { message, retryAfter }: Omit<Maintenance, 'since'>,
  { reason }: AuditContext = {},
): Promise<Maintenance> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const before = await readMaintenance(trx);
    if (before?.message === message && before.retryAfter === retryAfter) return before;
    const state = { message, retryAfter, since: before?.since ?? ctx.clock.now().toISOString() };
    await writeMaintenance(trx, state);
    await recordAudit(trx, actor, { action: 'maintenance.on', details: { message, retryAfter, reason } });
    return state;
  });

export const endMaintenance = (ctx: AppContext, actor: Actor, { reason }: AuditContext = {}): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const before = await readMaintenance(trx);
    if (!before) return false;
    await writeMaintenance(trx, null);
    await recordAudit(trx, actor, { action: 'maintenance.off', details: { since: before.since, reason } });
    return true;
  });
