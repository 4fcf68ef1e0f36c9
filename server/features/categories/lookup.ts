import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/pools.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { findCategory } from './repository.ts';

export interface CategoryLookup {
  /** The category by slug or name, as it was at most a second ago; undefined for one that does not exist. */
  find(db: Db, slugOrName: string): Promise<CategoryRow | undefined>;
  clear(): void;
}

/** Each filtered list names a category: asking the database for it took a third of the list's time. */
export function createCategoryLookup(milliseconds = 1000): CategoryLookup {
  const known = new LRUCache<string, Promise<CategoryRow | undefined>>({ max: 200, ttl: milliseconds });
  // a promise, not Knex's builder: that asks the database again whenever it is awaited
  const ask = async (db: Db, slugOrName: string) => findCategory(db, slugOrName);
  return {
    find(db, slugOrName) {
      const key = slugOrName.toLowerCase();
      const kept = known.get(key);
      if (kept) return kept;
      const asked = ask(db, slugOrName);
      known.set(key, asked);
      asked.catch(() => known.delete(key));
      return asked;
    },
    clear: () => known.clear(),
  };
}
