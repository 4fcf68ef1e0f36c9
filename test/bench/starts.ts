import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../local/ports.ts';
import { type CliStart, measureCliStart } from './measure-cli.ts';
import { startServer } from './measured-server.ts';
import { median } from './timing.ts';

export interface StartResults {
  /** The server alone on a running database, from process start to the first 200. Medians. */
  serverMs: number;
  rssMb: number;
  /** `make start` in a checkout that has run before, until its first page. Not measured in a quick run. */
  makeStartMs: number | undefined;
  cli: CliStart;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

async function measureServerStart(env: NodeJS.ProcessEnv, times: number): Promise<{ ms: number; rssMb: number }> {
  const starts: { ms: number; rssMb: number }[] = [];
  for (let i = 0; i < times; i++) {
    const server = await startServer(env);
    starts.push({ ms: server.startMs, rssMb: (await server.probe()).rssMb });
    await server.stop();
  }
  return { ms: median(starts.map(({ ms }) => ms)), rssMb: median(starts.map(({ rssMb }) => rssMb)) };
}

/**
 * Runs the program of `make start` and stops it with Ctrl-C's signal. Returns the milliseconds until the first page.
 */
async function runMakeStart(directory: string): Promise<number> {
  const port = await findFreePort('127.0.0.1', 0);
  const started = performance.now();
  const child = spawn(process.execPath, ['local/start.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`make start ended with exit code ${child.exitCode}`);
    const answer = await fetch(`http://localhost:${port}/`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) break;
    await sleep(10);
  }
  const ms = performance.now() - started;
  child.kill('SIGINT');
  await once(child, 'exit');
  return ms;
}

async function measureMakeStart(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  try {
    await runMakeStart(directory);
    const times: number[] = [];
    for (let i = 0; i < 3; i++) times.push(await runMakeStart(directory));
    return median(times);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function measureStarts(env: NodeJS.ProcessEnv, isQuick: boolean): Promise<StartResults> {
  const { ms: serverMs, rssMb } = await measureServerStart(env, 5);
  const makeStartMs = isQuick ? undefined : await measureMakeStart();
  return { serverMs, rssMb, makeStartMs, cli: measureCliStart(isQuick ? 5 : 21) };
}
