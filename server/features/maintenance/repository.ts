import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';

export interface Maintenance {
  message: string | null;
  retryAfter: number;
  since: string;
}

const KEY = 'maintenance';

export const readMaintenance = async (db: Db): Promise<Maintenance | null> => {
  const row = await db<{ key: string; value: Maintenance }>('settings').where({ key: KEY }).first('value');
  return row?.value ?? null;
};

export const writeMaintenance = async (trx: Trx, state: Maintenance | null): Promise<void> => {
  await trx('settings').where({ key: KEY }).delete();
  if (state) await trx('settings').insert({ key: KEY, value: JSON.stringify(state) });
  await publish(trx, 'maintenance', {});
};
