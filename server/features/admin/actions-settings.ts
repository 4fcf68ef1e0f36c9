import type { Settings } from '../../../contract/admin.ts';
import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { writeSettings } from '../settings/store.ts';
import { holdAdmin } from '../users/standing.ts';
import type { Origin } from './actions-users.ts';

/** Replaces the platform's settings. They hold from the next write on, on every replica: each write reads them. */
export const updateSettings = (
  app: App,
  actor: Actor,
  settings: Settings,
  { requestId, reason }: Origin = {},
): Promise<Settings> =>
  inTransaction(app.db, async (trx) => {
    await holdAdmin(trx, actor);
    const after = { ...settings, bannedWords: [...new Set(settings.bannedWords)] };
    const before = await writeSettings(trx, after, actor.kind === 'user' ? actor.id : null);
    await recordAudit(trx, actor, { action: 'settings.update', details: { before, after, reason }, requestId });
    return after;
  });
