import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export type FanOutKind = Tables['fan_outs']['kind'];

/** Which fan-out: its kind, and the id of the seller, ad or notice that it is about. */
export interface FanOutKey {
  kind: FanOutKind;
  subjectId: string;
}

/** The last receiver who was reached, and since when it runs: people who come later get nothing. */
export type FanOutProgress = Pick<Tables['fan_outs'], 'delivered_to' | 'begun_at'>;

const toColumns = ({ kind, subjectId }: FanOutKey) => ({ kind, subject_id: subjectId });

/** `progress`: of a fan-out that the previous release began. */
export const insertFanOut = async (trx: Trx, key: FanOutKey, progress?: FanOutProgress): Promise<void> => {
  await trx('fan_outs')
    .insert({ ...toColumns(key), ...progress })
    .onConflict()
    .ignore();
};

export const findFanOut = (db: Db, key: FanOutKey): Promise<FanOutProgress | undefined> =>
  db('fan_outs').where(toColumns(key)).first('delivered_to', 'begun_at');

/** Locks the fan-out, if it has come exactly as far as `deliveredTo`. */
export const lockFanOut = async (trx: Trx, key: FanOutKey, deliveredTo: string): Promise<boolean> => {
  const where = { ...toColumns(key), delivered_to: deliveredTo };
  return (await trx('fan_outs').where(where).forUpdate().first('kind')) !== undefined;
};

export const setFanOutProgress = async (trx: Trx, key: FanOutKey, deliveredTo: string): Promise<void> => {
  await trx('fan_outs').where(toColumns(key)).update({ delivered_to: deliveredTo });
};

export const deleteFanOut = async (trx: Trx, key: FanOutKey): Promise<void> => {
  await trx('fan_outs').where(toColumns(key)).delete();
};

export const listFanOuts = async (db: Db): Promise<FanOutKey[]> =>
  db('fan_outs').select('kind', { subjectId: 'subject_id' });
