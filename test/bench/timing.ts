import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Timing {
  p50: number;
  p99: number;
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

export const summarize = (times: number[]): Timing => ({ p50: median(times), p99: quantile(times, 0.99) });

export const WARM_UPS = 3;

type Work = (run: number) => Promise<unknown>;

/** Returns the milliseconds of each of `runs` sequential calls, after warm-up calls, with a pause in between. */
export async function time(runs: number, work: Work, pauseMs = 0): Promise<Timing> {
  return (await timeInTurn(runs, [work], pauseMs))[0]!;
}

/** Times several kinds of work alternately, so that changes in load affect all of them. */
export async function timeInTurn(runs: number, works: readonly Work[], pauseMs = 0): Promise<Timing[]> {
  const times: number[][] = works.map(() => []);
  for (let run = -WARM_UPS; run < runs; run++)
    for (const [i, work] of works.entries()) {
      if (pauseMs > 0) await sleep(pauseMs);
      const started = performance.now();
      await work(run);
      if (run >= 0) times[i]!.push(performance.now() - started);
    }
  return times.map(summarize);
}
