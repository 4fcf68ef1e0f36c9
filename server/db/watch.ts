import type { EventName, Events } from './events.ts';

const STALE_MS = 1000;

/** A stored value that every replica keeps in memory. */
export interface Watch<T> {
  /** What is stored; while the database is unavailable, what was read last. */
  read(): Promise<T>;
  /** What was read last. */
  getLast(): T;
  /** Whether `getLast` is what is stored. */
  isFresh(): boolean;
}

/** Reads a value again after each event of this name; while events may be missed, when it is a second old. */
export function watchStored<T>(events: Events, name: EventName, readStored: () => Promise<T>, first: T): Watch<T> {
  let current = first;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  // Nothing was read yet, or an event arrived that no finished read has followed.
  let isOutdated = true;
  const readUntilCurrent = async () => {
    try {
      do {
        isOutdated = false;
        current = await readStored();
      } while (isOutdated);
    } catch {
      isOutdated = true;
    }
    readAt = performance.now();
    reading = undefined;
  };
  const read = () => {
    reading ??= readUntilCurrent();
    return reading;
  };
  events.subscribe(name, () => {
    isOutdated = true;
    void read();
  });
  const isFresh = () => !reading && ((events.isUp() && !isOutdated) || performance.now() - readAt <= STALE_MS);
  return {
    async read() {
      if (!isFresh()) await read();
      return current;
    },
    getLast: () => current,
    isFresh,
  };
}
