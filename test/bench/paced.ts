import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PacedResult {
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 200, and broken connections. */
  failed: number;
}

const request = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200));
      response.once('error', () => resolve(false));
    }).once('error', () => resolve(false));
  });

/**
 * Requests the paths in turn at a fixed rate, which does not wait for earlier responses, as visitors do not. Times count from when a
 * request was due.
 */
export async function loadAtRate(
  base: string,
  paths: readonly string[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<PacedResult> {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const times: number[] = [];
  let failed = 0;
  const pending = Array.from({ length: perSecond * seconds }, async (_, at) => {
    const due = begun + (at * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    if (!(await request(base + paths[at % paths.length], agent))) failed++;
    times.push(performance.now() - due);
  });
  await Promise.all(pending);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), failed };
}
