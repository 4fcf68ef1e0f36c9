import type { Db } from './pools.ts';

export interface PoolState {
  used: number;
  free: number;
  /** Queries that wait for a connection. */
  waiting: number;
  max: number;
}

/** How busy the connections of `db` are. */
export const readPoolState = (db: Db): PoolState => {
  const { pool } = db.client;
  return {
    used: pool.numUsed(),
    free: pool.numFree(),
    waiting: pool.numPendingAcquires() + pool.numPendingCreates(),
    max: pool.max,
  };
};
