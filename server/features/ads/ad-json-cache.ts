import { type AppContext, perProcess } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import { isPublicAd } from '../../policy.ts';
import { presentPublicAd } from './presenter.ts';
import { listAdsByIds } from './repository.ts';

export interface AdJsonCache {
  /** `distances` belong to this list only: they are added to the cached JSON. */
  toJson(db: Db, ids: readonly string[], distances?: readonly (number | null)[]): Promise<Buffer>;
}

const LIFETIME_MS = 500;

/** Joins the fragments and replaces the comma of the first one. */
function joinFragments(fragments: readonly Buffer[]): Buffer {
  if (fragments.length === 0) return Buffer.from('[]');
  const json = Buffer.concat([...fragments, Buffer.from(']')]);
  json[0] = '['.charCodeAt(0);
  return json;
}

const addDistance = (fragment: Buffer, distance: number | null | undefined): Buffer =>
  typeof distance === 'number'
    ? Buffer.concat([fragment.subarray(0, -1), Buffer.from(`,"distance":${distance}}`)])
    : fragment;

/**
 * Public ads as serialized JSON, by id. Different lists share many ads: with these cached, a list needs only a query
 * for ids.
 */
export function createAdJsonCache(lifetimeMs = LIFETIME_MS): AdJsonCache {
  let fragments = new Map<string, Buffer>();
  let startedAt = performance.now();

  /** All entries expire together, which is cheaper than tracking the age of each. */
  function current(): Map<string, Buffer> {
    const now = performance.now();
    if (now - startedAt > lifetimeMs) [fragments, startedAt] = [new Map(), now];
    return fragments;
  }

  return {
    async toJson(db, ids, distances = []) {
      const kept = current();
      const missing = ids.filter((id) => !kept.has(id));
      for (const row of await listAdsByIds(db, missing)) {
        // skips ads hidden since the query for ids, and ads of a seller that are still being hidden
        if (isPublicAd(row)) kept.set(row.id, Buffer.from(`,${JSON.stringify(presentPublicAd(row))}`));
      }
      return joinFragments(
        ids.flatMap((id, i) => {
          const fragment = kept.get(id);
          return fragment ? addDistance(fragment, distances[i]) : [];
        }),
      );
    },
  };
}

const getAdJsonCache = perProcess(() => createAdJsonCache());

/** Public ads as a JSON array, in the order of `ids`. */
export const toAdListJson = (
  ctx: Pick<AppContext, 'root' | 'reads' | 'bypassesCaches'>,
  ids: readonly string[],
  distances?: readonly (number | null)[],
): Promise<Buffer> =>
  (ctx.bypassesCaches ? createAdJsonCache() : getAdJsonCache(ctx)).toJson(ctx.reads, ids, distances);
