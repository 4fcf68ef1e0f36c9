import type { Db } from '../../db/pools.ts';
import { isPublicAd } from '../../policy.ts';
import { presentPublicAd } from './presenter.ts';
import { listAdsByIds } from './repository.ts';

export interface AdJsonCache {
  /** These ads as a JSON array, in this order, each at most a second old; `asOf` (performance.now) is the oldest one's time. */
  toJson(db: Db, ids: readonly string[]): Promise<{ json: Buffer; asOf: number }>;
  /** Something about ads or sellers changed here. */
  clear(): void;
}

interface Fragment {
  /** With the comma that parts it from the next. */
  bytes: Buffer;
  asOf: number;
}

type Loading = Promise<Map<string, Fragment>>;

/** What is known between two changes. */
interface Generation {
  fragments: Recent;
  loading: Map<string, Loading>;
  /** What will be asked for once the query under way is answered. */
  next: { ids: Set<string>; loaded: Loading } | undefined;
  underWay: Promise<unknown>;
}

interface Recent {
  get(id: string): Fragment | undefined;
  set(id: string, fragment: Fragment): void;
}

const MAX_KEPT = 5000;

/** Two maps that take turns: an LRU's bookkeeping, for 24 ads a page, cost as much as sending the page. */
function openRecent(milliseconds: number): Recent {
  let [young, old] = [new Map<string, Fragment>(), new Map<string, Fragment>()];
  let since = performance.now();
  return {
    get(id) {
      const found = young.get(id) ?? old.get(id);
      return found && performance.now() - found.asOf < milliseconds ? found : undefined;
    },
    set(id, fragment) {
      if (young.size >= MAX_KEPT || fragment.asOf - since > milliseconds) {
        [young, old] = [new Map(), young];
        since = fragment.asOf;
      }
      young.set(id, fragment);
    },
  };
}

async function load(db: Db, ids: ReadonlySet<string>, { fragments }: Generation): Loading {
  const asOf = performance.now();
  const found = new Map<string, Fragment>();
  for (const row of await listAdsByIds(db, [...ids])) {
    // hidden since the ids were found, or of a seller whose ads are being hidden
    if (!isPublicAd(row)) continue;
    const fragment = { bytes: Buffer.from(`,${JSON.stringify(presentPublicAd(row))}`), asOf };
    found.set(row.id, fragment);
    fragments.set(row.id, fragment);
  }
  return found;
}

/** Opens the batch that follows the query under way. */
function openBatch(db: Db, generation: Generation): NonNullable<Generation['next']> {
  const ids = new Set<string>();
  const loaded = generation.underWay.then(() => {
    generation.next = undefined;
    return load(db, ids, generation).finally(() => {
      for (const id of ids) generation.loading.delete(id);
    });
  });
  generation.underWay = loaded.catch(() => {});
  return { ids, loaded };
}

/** Joins what requests miss while one query is under way into the next: the busier, the fewer queries. */
function gather(db: Db, id: string, generation: Generation): Loading {
  const running = generation.loading.get(id);
  if (running) return running;
  generation.next ??= openBatch(db, generation);
  generation.next.ids.add(id);
  generation.loading.set(id, generation.next.loaded);
  return generation.next.loaded;
}

/** The leading comma of the first fragment gives way to the bracket. */
function joinFragments(fragments: Fragment[]): Buffer {
  if (fragments.length === 0) return Buffer.from('[]');
  const json = Buffer.concat([...fragments.map(({ bytes }) => bytes), Buffer.from(']')]);
  json[0] = '['.charCodeAt(0);
  return json;
}

/**
 * Public ads as finished JSON, by id. Lists that nobody asked for before still consist of ads that somebody has just
 * seen: with these at hand a page costs one look into an index (docs/PERFORMANCE.md).
 */
export function createAdJsonCache(milliseconds = 1000): AdJsonCache {
  const open = (): Generation => ({
    fragments: openRecent(milliseconds),
    loading: new Map(),
    next: undefined,
    underWay: Promise.resolve(),
  });
  let current = open();

  return {
    async toJson(db, ids) {
      const generation = current;
      const find = (id: string) =>
        generation.fragments.get(id) ?? gather(db, id, generation).then((loaded) => loaded.get(id));
      // an ad deleted since the ids were found is left out
      const found = (await Promise.all(ids.map(find))).filter((fragment) => fragment !== undefined);
      return {
        json: joinFragments(found),
        asOf: found.reduce((oldest, { asOf }) => Math.min(oldest, asOf), performance.now()),
      };
    },
    // what is being read now goes to a generation that nobody asks any more
    clear() {
      current = open();
    },
  };
}
