import type { Logger } from '../observability/log.ts';

export interface Batches<V> {
  get(key: string): V | undefined;
  /** Queues a value, replacing one with the same key. Drops it when the queue is full. */
  set(key: string, value: V): void;
  /** Writes the queued values. Never throws: a failed batch joins the next one, in which newer values win. */
  flush(): Promise<void>;
}

const MAX_KEPT = 20_000;
const FLUSH_MS = 1000;

/** Collects values in memory and writes them together, at most once a second and one batch at a time. */
export function createBatches<V>(write: (values: V[]) => Promise<void>, log: Logger): Batches<V> {
  let kept = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeKept(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (kept.size === 0) return;
    const batch = kept;
    kept = new Map();
    try {
      await write([...batch.values()]);
    } catch (error) {
      log.warn({ err: error }, 'a batch could not be written yet');
      kept = new Map([...batch, ...kept].slice(-MAX_KEPT));
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(writeKept);
    return writing;
  }

  return {
    get: (key) => kept.get(key),
    set(key, value) {
      if (kept.size >= MAX_KEPT && !kept.has(key)) return;
      kept.set(key, value);
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
  };
}

/** `count` queues a fact, to be written within seconds; it never waits or fails. `flush` writes what is queued. */
export interface BatchedCounter<Facts extends unknown[]> {
  count(...facts: Facts): void;
  flush(): Promise<void>;
}
