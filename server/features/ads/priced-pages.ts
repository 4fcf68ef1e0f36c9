import type { Db } from '../../db/connect.ts';
import { isPriced, type ListFilter } from './ids-store.ts';
import { type FoundPage, findPage, type PageAsked } from './list-store.ts';
import { findPageIn, type PricedLesson, readPricedLesson } from './priced-lesson.ts';

export interface PricedPages {
  /** As findPage, from what was read within the last second where that is known to be the same; `asOf` is when. */
  find(db: Db, filter: ListFilter, asked: PageAsked): Promise<FoundPage & { asOf: number }>;
  /** Something about ads changed here. */
  clear(): void;
}

/** Lists of one category, or of all, during about a second. */
interface Scope {
  until: number;
  asked: number;
  lesson: Promise<PricedLesson> | undefined;
}

/** So many lists a second ask for more than a lesson costs. */
const BUSY = 100;

/**
 * Lists by price that nobody asked for before: while many are asked for, the newest ads are read once a second and most
 * pages are found among them. At quieter times, and below what they reach, Postgres finds each (docs/PERFORMANCE.md).
 */
export function openPricedPages({ milliseconds = 1000, busy = BUSY } = {}): PricedPages {
  // as many as there are categories
  let scopes = new Map<number | undefined, Scope>();

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

  function learn(db: Db, scope: Scope, categoryId: number | undefined): Promise<PricedLesson> {
    scope.until = performance.now() + milliseconds;
    scope.asked = 0;
    return readPricedLesson(db, categoryId).catch((error) => {
      scope.lesson = undefined;
      throw error;
    });
  }

  return {
    async find(db, filter, asked) {
      if (isPriced(filter)) {
        const scope = enter(filter.categoryId);
        scope.asked++;
        if (scope.asked > busy) scope.lesson ??= learn(db, scope, filter.categoryId);
        const { lesson, until } = scope;
        const found = lesson && findPageIn(await lesson, filter, asked);
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
