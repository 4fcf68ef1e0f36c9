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

/** Read afresh by whoever decides by them: one row by its key, and no replica is ever behind. */
export const readSettings = async (db: Db): Promise<Settings> => {
  const row = await db<{ key: string; value: Settings }>('settings').where({ key: KEY }).first('value');
  return { ...DEFAULT_SETTINGS, ...row?.value };
};

/** Replaces the settings; two administrators saving at once are put in order. Returns what was there before. */
export const writeSettings = async (trx: Trx, settings: Settings, userId: string | null): Promise<Settings> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('settings'))");
  const before = await readSettings(trx);
  const row = { value: JSON.stringify(settings), updated_at: trx.fn.now(), updated_by: userId };
  await trx('settings')
    .insert({ key: KEY, ...row })
    .onConflict('key')
    .merge(row);
  return before;
};
