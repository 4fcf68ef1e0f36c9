import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { endSessions, type SessionsToEnd } from './session-list-store.ts';
import { deleteExpiredSessions } from './session-store.ts';

/** Signs people out: everywhere, at once. Returns how many sessions ended. */
export const revokeSessions = (
  app: App,
  actor: Actor,
  which: SessionsToEnd,
  { reason }: { reason?: string | undefined } = {},
): Promise<number> =>
  inTransaction(app.db, async (trx) => {
    const ended = await endSessions(trx, which);
    const { userId, startedBefore } = which;
    const target = userId ? { targetType: 'user', targetId: userId } : {};
    if (ended > 0)
      await recordAudit(trx, actor, { action: 'session.revoke', ...target, details: { ended, startedBefore, reason } });
    return ended;
  });

const BATCH = 1000;

/** Removes sessions that have ended by themselves. Returns how many. */
export async function collectSessions({ db }: Pick<App, 'db'>): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await deleteExpiredSessions(db, BATCH);
    total += removed;
    if (removed < BATCH) return total;
  }
}
