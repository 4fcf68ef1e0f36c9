import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { type Maintenance, readMaintenance, writeMaintenance } from './repository.ts';

interface Reason {
  reason?: string | undefined;
}

/** Closes the site to everybody, on every replica, until it is opened again. Again with other words changes those. */
export const startMaintenance = (
  ctx: AppContext,
  actor: Actor,
  { message, retryAfter }: Omit<Maintenance, 'since'>,
  { reason }: Reason = {},
): Promise<Maintenance> =>
  inTransaction(ctx.db, async (trx) => {
    const before = await readMaintenance(trx);
    if (before?.message === message && before.retryAfter === retryAfter) return before;
    const state = { message, retryAfter, since: before?.since ?? ctx.clock.now().toISOString() };
    await writeMaintenance(trx, state);
    await recordAudit(trx, actor, { action: 'maintenance.on', details: { message, retryAfter, reason } });
    return state;
  });

/** Opens the site again; says whether it was closed. */
export const endMaintenance = (ctx: AppContext, actor: Actor, { reason }: Reason = {}): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    const before = await readMaintenance(trx);
    if (!before) return false;
    await writeMaintenance(trx, null);
    await recordAudit(trx, actor, { action: 'maintenance.off', details: { since: before.since, reason } });
    return true;
  });
