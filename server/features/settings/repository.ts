import type { Settings } from '../../../contract/admin.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';

export const DEFAULT_SETTINGS: Settings = {
  maxAdDurationDays: 30,
  maxImagesPerAd: LIMITS.images,
  moderationMode: 'automatic',
  reportHoldWeight: 3,
  bannedWords: ['spam', 'scam', 'fake', 'illegal'],
  minXAccountAgeDays: 0,
  newAccountAdsPerDay: 10,
  newConversationsPerHour: 15,
  sameTextPeople: 5,
  distanceUnit: 'km',
  homeCountry: '',
};

const PLATFORM_KEY = 'platform';

/** Never cached: every decision uses the stored settings. */
export const readSettings = async (db: Db): Promise<Settings> => {
  const row = await db<{ key: string; value: Settings }>('settings').where({ key: PLATFORM_KEY }).first('value');
  return { ...DEFAULT_SETTINGS, ...row?.value };
};

/** Serialises administrators who save at the same time; the row may not exist yet. */
export const lockSettings = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('settings'))");
};

export const writeSettings = async (trx: Trx, settings: Settings, userId: string | null): Promise<void> => {
  const row = { value: JSON.stringify(settings), updated_at: trx.fn.now(), updated_by: userId };
  await trx('settings')
    .insert({ key: PLATFORM_KEY, ...row })
    .onConflict('key')
    .merge(row);
};

export interface Maintenance {
  /** Words of the operator, or what `phrase` says in English. */
  message: string | null;
  phrase?: ErrorPhrase;
  retryAfter: number;
  since: string;
}

const MAINTENANCE_KEY = 'maintenance';

export const readMaintenance = async (db: Db): Promise<Maintenance | null> => {
  const row = await db<{ key: string; value: Maintenance }>('settings').where({ key: MAINTENANCE_KEY }).first('value');
  return row?.value ?? null;
};

export const writeMaintenance = async (trx: Trx, state: Maintenance | null): Promise<void> => {
  await trx('settings').where({ key: MAINTENANCE_KEY }).delete();
  if (state) await trx('settings').insert({ key: MAINTENANCE_KEY, value: JSON.stringify(state) });
  await publish(trx, 'maintenance', {});
};
