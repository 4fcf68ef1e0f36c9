import type { Settings } from '../../../contract/admin.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Db, Trx } from '../../db/pools.ts';

export const DEFAULT_SETTINGS: Settings = {
  maxAdDurationDays: 30,
  maxImagesPerAd: LIMITS.images,
  moderationMode: 'automatic',
  bannedWords: ['spam', 'scam', 'fake', 'illegal'],
};

const KEY = 'platform';

/** Never cached: every decision uses the stored settings. */
export const readSettings = async (db: Db): Promise<Settings> => {
  const row = await db<{ key: string; value: Settings }>('settings').where({ key: KEY }).first('value');
  return { ...DEFAULT_SETTINGS, ...row?.value };
};

/** Serialises administrators who save at the same time; the row may not exist yet. */
export const lockSettings = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('settings'))");
};

export const writeSettings = async (trx: Trx, settings: Settings, userId: string | null): Promise<void> => {
  const row = { value: JSON.stringify(settings), updated_at: trx.fn.now(), updated_by: userId };
  await trx('settings')
    .insert({ key: KEY, ...row })
    .onConflict('key')
    .merge(row);
};
