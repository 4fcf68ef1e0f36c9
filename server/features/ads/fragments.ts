import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/connect.ts';
import { presentPublicAd } from './present.ts';
import { listAdsByIds } from './store.ts';

export interface AdFragments {
  /** These ads as a JSON array, in this order, each at most a second old; `asOf` (performance.now) is the oldest one's time. */
  toJson(db: Db, ids: readonly string[]): Promise<{ jsonText: string; asOf: number }>;
  /** Something about ads or sellers changed here. */
  clear(): void;
}

interface Fragment {
  text: string;
  asOf: number;
}

/**
 * Public ads as finished JSON, by id. Lists that nobody asked for before still consist of ads that somebody has just
 * seen: with these at hand a page costs one look into an index (docs/PERFORMANCE.md).
 */
export function openAdFragments(milliseconds = 1000): AdFragments {
  let fragments = new LRUCache<string, Fragment>({ max: 5000, ttl: milliseconds });

  async function load(db: Db, ids: readonly string[], into: Map<string, Fragment>): Promise<void> {
    const mine = fragments;
    const asOf = performance.now();
    for (const row of await listAdsByIds(db, ids)) {
      const fragment = { text: JSON.stringify(presentPublicAd(row)), asOf };
      into.set(row.id, fragment);
      // after a clear() these are the fragments of before: `mine` is nobody's any more
      mine.set(row.id, fragment, { start: asOf });
    }
  }

  return {
    async toJson(db, ids) {
      const found = new Map<string, Fragment>();
      const missing = ids.filter((id) => {
        const fragment = fragments.get(id);
        if (fragment) found.set(id, fragment);
        return !fragment;
      });
      await load(db, missing, found);
      // an ad deleted since the ids were found is left out
      const texts = ids.flatMap((id) => found.get(id) ?? []);
      return {
        jsonText: `[${texts.map(({ text }) => text).join(',')}]`,
        asOf: texts.reduce((oldest, { asOf }) => Math.min(oldest, asOf), performance.now()),
      };
    },
    clear() {
      fragments = new LRUCache({ max: 5000, ttl: milliseconds });
    },
  };
}
