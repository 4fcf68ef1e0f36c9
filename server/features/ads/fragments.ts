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

type Loading = Promise<Map<string, Fragment>>;

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
  let loading = new Map<string, Loading>();
  let gathering: { ids: Set<string>; loaded: Loading } | undefined;

  async function load(db: Db, ids: ReadonlySet<string>): Loading {
    const [kept, running] = [fragments, loading];
    const asOf = performance.now();
    const found = new Map<string, Fragment>();
    try {
      for (const row of await listAdsByIds(db, [...ids])) {
        const fragment = { text: JSON.stringify(presentPublicAd(row)), asOf };
        found.set(row.id, fragment);
        // after a clear() `kept` is nobody's any more: these are the ads of before
        kept.set(row.id, fragment, { start: asOf });
      }
      return found;
    } finally {
      for (const id of ids) running.delete(id);
    }
  }

  /** Joins what other requests of this turn of the event loop miss into one query. */
  function gather(db: Db, id: string): Loading {
    const running = loading.get(id);
    if (running) return running;
    if (!gathering) {
      const ids = new Set<string>();
      const loaded = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        gathering = undefined;
        return load(db, ids);
      });
      gathering = { ids, loaded };
    }
    gathering.ids.add(id);
    loading.set(id, gathering.loaded);
    return gathering.loaded;
  }

  async function find(db: Db, id: string): Promise<Fragment | undefined> {
    return fragments.get(id) ?? (await gather(db, id)).get(id);
  }

  return {
    async toJson(db, ids) {
      // an ad deleted since the ids were found is left out
      const found = (await Promise.all(ids.map((id) => find(db, id)))).filter((fragment) => fragment !== undefined);
      return {
        jsonText: `[${found.map(({ text }) => text).join(',')}]`,
        asOf: found.reduce((oldest, { asOf }) => Math.min(oldest, asOf), performance.now()),
      };
    },
    clear() {
      fragments = new LRUCache({ max: 5000, ttl: milliseconds });
      loading = new Map();
      gathering = undefined;
    },
  };
}
