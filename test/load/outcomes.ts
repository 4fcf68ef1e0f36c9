/** What the load counted, half a second at a time, and how to read it. */

export const KINDS = ['list', 'ad', 'new search', 'page', 'image', 'signed in', 'write'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * `served`: 2xx and 3xx. `shed`: 503. `limited`: 429. `failed`: any other status. `refused`: the connection was closed
 * without a response. `timedOut`: the client gave up.
 */
export const OUTCOMES = ['served', 'shed', 'limited', 'failed', 'refused', 'timedOut'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Tally {
  /** Requests by outcome, counted when they end. */
  counts: Record<Outcome, number>;
  /** Served requests by bucket of their time; see `bucketOf`. */
  times: number[];
}

export interface Window {
  /** Milliseconds from the start of the run to the end of the window. */
  endMs: number;
  sent: number;
  /** How late the latest request of an open loop began, in milliseconds: the load itself lacked a core. */
  lateMs: number;
  kinds: Record<Kind, Tally>;
}

const FIRST_MS = 0.1;
const STEP = 1.05;
const BUCKETS = 300;

/** Each bucket is 5 % longer than the last; the first ends at 0.1 ms, the last at minutes. */
export const bucketOf = (ms: number): number =>
  Math.max(0, Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(STEP))));

const emptyTally = (): Tally => ({
  counts: { served: 0, shed: 0, limited: 0, failed: 0, refused: 0, timedOut: 0 },
  times: new Array(BUCKETS).fill(0),
});

export const emptyWindow = (): Window => ({
  endMs: 0,
  sent: 0,
  lateMs: 0,
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, emptyTally()])) as Window['kinds'],
});

export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const { counts, times } of tallies) {
    for (const outcome of OUTCOMES) sum.counts[outcome] += counts[outcome];
    for (const [i, count] of times.entries()) sum.times[i]! += count;
  }
  return sum;
}

/** All requests of these windows, or those of one kind. */
export const sumWindows = (windows: readonly Window[], kinds: readonly Kind[] = KINDS): Tally =>
  sumTallies(windows.flatMap((window) => kinds.map((kind) => window.kinds[kind])));

/** The time in milliseconds below which this part of the served requests stayed, 5 % exact. NaN without any. */
export function timeAt({ times }: Tally, part: number): number {
  const total = times.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(total * part);
  for (const [i, count] of times.entries()) {
    left -= count;
    if (count > 0 && left <= 0) return FIRST_MS * STEP ** i;
  }
  return Number.NaN;
}
