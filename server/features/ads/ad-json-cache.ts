import type { Db } from '../../db/pools.ts';
import { isPublicAd } from '../../policy.ts';
import { presentPublicAd } from './presenter.ts';
import { listAdsByIds } from './repository.ts';

export interface AdJsonCache {
  /** These ads as a JSON array, in this order. Ads that are not public any more are left out. */
  toJson(db: Db, ids: readonly string[]): Promise<Buffer>;
  /** An empty cache of the same kind, for a request that must not read cached ads. */
  empty(): AdJsonCache;
}

/** Short, so that a list that is cached itself (http/middleware/response-cache.ts) is at most a second old. */
const LIFETIME_MS = 500;

/** The fragments are joined by replacing the first one's comma. */
function joinFragments(fragments: readonly Buffer[]): Buffer {
  if (fragments.length === 0) return Buffer.from('[]');
  const json = Buffer.concat([...fragments, Buffer.from(']')]);
  json[0] = '['.charCodeAt(0);
  return json;
}

/** Public ads as finished JSON, by id. Different lists have many ads in common: with these cached, a list costs one query of ids. */
export function createAdJsonCache(lifetimeMs = LIFETIME_MS): AdJsonCache {
  let fragments = new Map<string, Buffer>();
  let startedAt = performance.now();

  /** All entries expire together, which costs less than keeping the age of each. */
  function current(): Map<string, Buffer> {
    const now = performance.now();
    if (now - startedAt > lifetimeMs) [fragments, startedAt] = [new Map(), now];
    return fragments;
  }

  return {
    async toJson(db, ids) {
      const kept = current();
      const missing = ids.filter((id) => !kept.has(id));
      for (const row of await listAdsByIds(db, missing)) {
        // hidden since the ids were found, or of a seller whose ads are being hidden
        if (isPublicAd(row)) kept.set(row.id, Buffer.from(`,${JSON.stringify(presentPublicAd(row))}`));
      }
      return joinFragments(ids.flatMap((id) => kept.get(id) ?? []));
    },
    empty: () => createAdJsonCache(lifetimeMs),
  };
}
