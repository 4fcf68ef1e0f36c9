import type { Db } from '../../db/connect.ts';
import { type CategorySeed, putCategory } from './store.ts';

export interface SeedCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** Brings the table in line with the seeds, in one transaction; running it again changes nothing. */
export const seedCategories = (app: { db: Db }, seeds: readonly CategorySeed[]): Promise<SeedCounts> =>
  app.db.transaction(async (trx) => {
    const counts: SeedCounts = { created: 0, updated: 0, unchanged: 0 };
    for (const [position, seed] of seeds.entries()) counts[await putCategory(trx, seed, position)]++;
    return counts;
  });
