import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/connect.ts';
import type { CategoryRow } from '../../db/tables.ts';
import { findCategory } from './store.ts';

export interface CategoryLookup {
  /** The category by slug or name, as it was at most a second ago; undefined for one that does not exist. */
  find(db: Db, slugOrName: string): Promise<CategoryRow | undefined>;
  clear(): void;
}

/** Each filtered list names a category: asking the database for it took a third of the list's time. */
export function openCategoryLookup(milliseconds = 1000): CategoryLookup {
  const known = new LRUCache<string, Promise<CategoryRow | undefined>>({ max: 200, ttl: milliseconds });
  return {
    find(db, slugOrName) {
      const key = slugOrName.toLowerCase();
      const found = known.get(key) ?? findCategory(db, slugOrName);
      if (!known.has(key)) known.set(key, found);
      found.catch(() => known.delete(key));
      return found;
    },
    clear: () => known.clear(),
  };
}
