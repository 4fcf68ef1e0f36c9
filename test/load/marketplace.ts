import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../local/ports.ts';
import { buildWeb } from '../../local/web-build.ts';
import type { AppContext } from '../../server/app-context.ts';
import { switchSpamLimitsOff } from '../bench/http-cases.ts';
import { type MeasuredServer, startServer } from '../bench/measured-server.ts';
import { openStage } from '../bench/stage.ts';
import { PRODUCTION_ENV } from '../harness/production-env.ts';
import { type Load, startLoad } from './load.ts';
import { type Material, readMaterial } from './traffic.ts';

export interface Marketplace {
  app: AppContext;
  server: MeasuredServer;
  port: number;
  postgresPid: number;
  cacheDirectory: string;
  material: Material;
  load: Load;
  /** The metrics of the process by name, without labels. */
  readMetrics(): Promise<Map<string, number>>;
}

export interface MarketplaceOptions {
  ads: number;
  writers: number;
  env?: NodeJS.ProcessEnv;
}

const ROOT = join(import.meta.dirname, '../..');
/** One cookie key for the server and for the context that opens sessions. */
const SESSION_ENV = { SESSION_KEYS: PRODUCTION_ENV.SESSION_KEYS, PUBLIC_URL: PRODUCTION_ENV.PUBLIC_URL };

/**
 * Runs `work` with the built server as one process in production settings, the demo marketplace, and a process that
 * sends load. Stops all of it afterwards, also on Ctrl-C.
 */
export async function withMarketplace(
  { ads, writers, env = {} }: MarketplaceOptions,
  work: (marketplace: Marketplace) => Promise<void>,
): Promise<void> {
  const log = (message: string) => console.error(message);
  const cleanups: (() => unknown)[] = [];
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    await buildWeb(ROOT);
    const stage = await openStage(log);
    cleanups.push(stage.stop);
    const url = await stage.openDatabase(ads);
    const app = stage.openApp(url, true, SESSION_ENV);
    cleanups.push(() => app.close());
    await switchSpamLimitsOff(app);
    const cacheDirectory = join(stage.directory, 'load-cache');
    rmSync(cacheDirectory, { recursive: true, force: true });
    mkdirSync(cacheDirectory, { recursive: true });
    const metricsPort = await findFreePort('127.0.0.1', 0);
    const server = await startServer({
      ...PRODUCTION_ENV,
      DATABASE_URL: url,
      CACHE_DIR: cacheDirectory,
      METRICS_PORT: String(metricsPort),
      TRUST_PROXY_HOPS: '1',
      SHUTDOWN_DELAY: '0s',
      // What Node chooses in a container of 512 MiB. Without a limit, it lets garbage grow with the machine's memory.
      NODE_OPTIONS: '--max-old-space-size=256',
      ...env,
    });
    cleanups.push(server.stop);
    const port = Number(new URL(server.url).port);
    const material = await readMaterial(app, new URL(PRODUCTION_ENV.PUBLIC_URL).host, writers);
    const load = startLoad(port, material);
    cleanups.push(load.stop);
    const readMetrics = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return new Map([...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)]));
    };
    await work({ app, server, port, postgresPid: stage.postgresPid, cacheDirectory, material, load, readMetrics });
  } finally {
    await stop();
  }
}

const readStatus = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The most memory that the process ever had resident, in MiB. */
export const readPeakMemory = (pid: number): number => readStatus(pid, 'VmHWM');

/**
 * Keeps these processes on the cores before the last, and the load on the last: sending the load then takes no time
 * from what is measured. Returns whether that was possible.
 */
export function separateCores(measured: readonly number[], load: readonly number[]): boolean {
  const cores = availableParallelism();
  const pin = (list: string, pid: number) => execFileSync('taskset', ['-a', '-c', '-p', list, String(pid)]);
  try {
    for (const pid of measured) pin(`0-${cores - 2}`, pid);
    for (const pid of load) pin(String(cores - 1), pid);
    return true;
  } catch {
    return false;
  }
}
