import { readCpuSeconds } from './cpu.ts';
import type { HttpCase } from './http-cases.ts';
import { median } from './timing.ts';
import { type LoadResult, load } from './wrk.ts';

export interface HttpResult {
  name: string;
  floor: number;
  accepted: number;
  perSecond: number;
  barePerSecond: number;
  ratio: number;
  /** The same ratio by CPU time of the process, which depends less on other load. */
  cpuRatio: number;
  cpuMicros: number;
  postgresMicros: number;
  p50Ms: number;
  p99Ms: number;
  bareP99Ms: number;
  bytes: number;
  /** Speed relative to the Knex server. */
  timesKnex?: number;
}

export interface Addresses {
  product: string;
  diskProduct: string;
  bare: string;
  knex: string;
  /** Gives the baseline a response of the product. */
  teach: (path: string, type: string, body: Uint8Array) => Promise<void>;
  directory: string;
  pids: { product: number; diskProduct: number; bare: number; postgres: number };
}

/** Measures product and baseline alternately, so that both see the same load of the machine. */
export async function measureHttp(test: HttpCase, at: Addresses, rounds: number, seconds: number): Promise<HttpResult> {
  const { headers = {}, paths } = test;
  const product = test.isFromDisk ? at.diskProduct : at.product;
  const pid = test.isFromDisk ? at.pids.diskProduct : at.pids.product;
  const first = await fetch(product + (paths?.[0] ?? test.path), { headers });
  if (!first.ok) throw new Error(`${test.name}: ${first.status} ${await first.text()}`);
  const body = Buffer.from(await first.arrayBuffer());
  await at.teach('/bare', first.headers.get('content-type') ?? '', body);
  const conditional: Record<string, string> = test.isConditional
    ? { 'If-None-Match': first.headers.get('etag') ?? '' }
    : {};
  const bareConditional: Record<string, string> = test.isConditional ? { 'If-None-Match': '"bare"' } : {};
  const run = (url: string, more: Record<string, string> = {}, list?: readonly string[]) =>
    load({ url, headers: { ...headers, ...more }, paths: list }, seconds, at.directory);

  // The code of a new server is not optimized yet.
  await run(product + test.path, conditional, paths);
  const ours: Costed[] = [];
  const bare: Costed[] = [];
  const knex: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await cost(at, at.pids.bare, seconds, () => run(`${at.bare}/bare`, bareConditional)));
    ours.push(await cost(at, pid, seconds, () => run(product + test.path, conditional, paths)));
    if (test.againstKnex) knex.push(await run(at.knex + test.path, {}, paths));
  }
  const failed = ours.reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`${test.name}: ${failed} requests failed`);
  const ratios = ours.map((result, i) => result.perSecond / bare[i]!.perSecond);
  const knexRatios = ours.map((result, i) => result.perSecond / (knex[i]?.perSecond ?? Number.NaN));
  const middle = <R extends LoadResult>(list: R[], key: keyof R) => median(list.map((result) => result[key] as number));
  return {
    name: test.name,
    floor: test.floor,
    accepted: test.accepted ?? test.floor,
    perSecond: middle(ours, 'perSecond'),
    barePerSecond: middle(bare, 'perSecond'),
    ratio: median(ratios),
    cpuRatio: median(ours.map((result, i) => bare[i]!.micros / (result.micros + result.postgresMicros))),
    cpuMicros: middle(ours, 'micros'),
    postgresMicros: middle(ours, 'postgresMicros'),
    p50Ms: middle(ours, 'p50Ms'),
    p99Ms: middle(ours, 'p99Ms'),
    bareP99Ms: middle(bare, 'p99Ms'),
    bytes: body.length,
    ...(test.againstKnex && { timesKnex: median(knexRatios) }),
  };
}

type Costed = LoadResult & { micros: number; postgresMicros: number };

/** CPU time per request of a process and its PostgreSQL. */
async function cost(at: Addresses, pid: number, seconds: number, work: () => Promise<LoadResult>): Promise<Costed> {
  const [own, postgres] = [readCpuSeconds(pid), readCpuSeconds(at.pids.postgres)];
  const result = await work();
  const requests = result.perSecond * seconds;
  const micros = (since: number, now: number) => ((now - since) / requests) * 1e6;
  return {
    ...result,
    micros: micros(own, readCpuSeconds(pid)),
    postgresMicros: micros(postgres, readCpuSeconds(at.pids.postgres)),
  };
}
