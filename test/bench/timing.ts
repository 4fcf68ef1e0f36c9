import { performance } from 'node:perf_hooks';

export interface Timing {
  p50: number;
  p99: number;
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

export const summarize = (times: number[]): Timing => ({ p50: median(times), p99: quantile(times, 0.99) });

/** Milliseconds of each of `runs` calls, one after the other, after three that do not count. */
export async function time(runs: number, work: (run: number) => Promise<unknown>): Promise<Timing> {
  for (let run = 0; run < 3; run++) await work(run);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work(run);
    times.push(performance.now() - started);
  }
  return summarize(times);
}
