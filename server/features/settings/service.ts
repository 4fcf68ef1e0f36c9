import { createHash } from 'node:crypto';
import type { Settings, SettingsInput, VersionedSettings } from '../../../contract/admin.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden } from '../../errors.ts';
import { type Actor, getUserId, isAdmin } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import {
  lockSettings,
  type Maintenance,
  readMaintenance,
  readSettings,
  writeMaintenance,
  writeSettings,
} from './repository.ts';

/** The version does not depend on the order in which settings were stored. */
const withVersion = (settings: Settings): VersionedSettings => {
  const text = JSON.stringify(settings, Object.keys(settings).sort());
  return { ...settings, version: createHash('sha256').update(text).digest('base64url').slice(0, 16) };
};

export const getSettings = async ({ db }: AppContext, actor: Actor): Promise<VersionedSettings> => {
  if (!isAdmin(actor)) throw forbidden();
  return withVersion(await readSettings(db));
};

/**
 * Replaces the platform's settings. Every write reads them, so they apply immediately on every replica. @throws
 * {AppError} conflict when the settings have changed since `version`
 */
export const updateSettings = (
  ctx: AppContext,
  actor: Actor,
  { version, ...settings }: SettingsInput,
  { requestId, reason }: AuditContext = {},
): Promise<VersionedSettings> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockSettings(trx);
    const before = await readSettings(trx);
    if (version !== undefined && version !== withVersion(before).version) throw conflict('errors.settingsChanged');
    const after = { ...before, ...settings, bannedWords: [...new Set(settings.bannedWords)] } as Settings;
    await writeSettings(trx, after, getUserId(actor));
    await recordAudit(trx, actor, { action: 'settings.update', details: { before, after, reason }, requestId });
    return withVersion(after);
  });

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
