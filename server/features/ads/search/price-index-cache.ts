import type { Db } from '../../../db/pools.ts';
import { findPageIn, type PriceIndex, readPriceIndex } from './price-index.ts';
import { isPriced, type ListFilter } from './query-builder.ts';
import { type FoundPage, findPage, type PageRequest } from './repository.ts';

export interface PriceIndexCache {
  /** As findPage, from what was read within the last second where that is known to be the same; `asOf` is when. */
  find(db: Db, filter: ListFilter, asked: PageRequest): Promise<FoundPage & { asOf: number }>;
  /** Something about ads changed here. */
  clear(): void;
}

/** Lists of one category, or of all, during about a second. */
interface Scope {
  until: number;
  asked: number;
  /** Undefined where it could not be read. */
  lesson: Promise<PriceIndex | undefined> | undefined;
}

/** So many lists a second ask for more than a lesson costs. */
const BUSY = 100;

/**
 * Lists by price that nobody asked for before: while many are asked for, the newest ads are read once a second and most
 * pages are found among them. At quieter times, below what they reach, and where they could not be read, Postgres finds
 * each (docs/PERFORMANCE.md).
 */
export function createPriceIndexCache({ milliseconds = 1000, busy = BUSY } = {}): PriceIndexCache {
  // as many as there are categories
  let scopes = new Map<number | undefined, Scope>();
  // one that takes longer than its second is not begun a second time
  const reading = new Set<number | undefined>();

  /** Where the second before was busy, this one is taken to be busy too. */
  function enter(categoryId: number | undefined): Scope {
    const now = performance.now();
    const known = scopes.get(categoryId);
    if (known && known.until > now) return known;
    const asked = known && known.until + milliseconds > now && known.asked >= busy ? busy : 0;
    const scope = { until: now + milliseconds, asked, lesson: undefined };
    scopes.set(categoryId, scope);
    return scope;
  }

  function learn(db: Db, scope: Scope, categoryId: number | undefined): Scope['lesson'] {
    scope.until = performance.now() + milliseconds;
    scope.asked = 0;
    reading.add(categoryId);
    return readPriceIndex(db, categoryId)
      .catch(() => undefined)
      .finally(() => reading.delete(categoryId));
  }

  return {
    async find(db, filter, asked) {
      if (isPriced(filter)) {
        const { categoryId } = filter;
        const scope = enter(categoryId);
        scope.asked++;
        if (scope.asked > busy && !reading.has(categoryId)) scope.lesson ??= learn(db, scope, categoryId);
        const { lesson, until } = scope;
        const read = await lesson;
        const found = read && findPageIn(read, filter, asked);
        if (found) return { ...found, asOf: until - milliseconds };
      }
      const asOf = performance.now();
      return { ...(await findPage(db, filter, asked)), asOf };
    },
    // what is being read now is nobody's any more
    clear() {
      scopes = new Map();
    },
  };
}
