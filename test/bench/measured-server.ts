import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../local/ports.ts';
import { NODE_FLAGS } from '../../server/lib/node-flags.ts';
import type { ProbeReport } from './probe.ts';

export interface MeasuredServer {
  url: string;
  pid: number;
  /** From process start to the first response of /readyz. */
  startMs: number;
  /** Memory and event-loop delay since the last call. */
  probe(): Promise<ProbeReport>;
  stop(): Promise<void>;
}

const COMPILED = fileURLToPath(new URL('../../.cache/node', import.meta.url));
const PRELOADS = ['./probe.ts', '../../local/die-with-parent.ts'].flatMap((path) => [
  '--import',
  new URL(path, import.meta.url).href,
]);

export async function startServer(env: NodeJS.ProcessEnv): Promise<MeasuredServer> {
  const port = await findFreePort('127.0.0.1', 0);
  const started = performance.now();
  const url = `http://127.0.0.1:${port}`;
  const child = fork(new URL('../../server/main.ts', import.meta.url), [], {
    execArgv: [...NODE_FLAGS, ...PRELOADS],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILED,
      NODE_ENV: 'development',
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await untilReady(child, `${url}/readyz`).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    url,
    pid: child.pid!,
    startMs: performance.now() - started,
    async probe() {
      child.send('report');
      const [report] = await once(child, 'message');
      return report as ProbeReport;
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

export interface Yardstick {
  url: string;
  pid: number;
  tell(message: object): Promise<void>;
  stop(): Promise<void>;
}

export async function startYardstick(script: string, env: NodeJS.ProcessEnv = {}): Promise<Yardstick> {
  const port = await findFreePort('127.0.0.1', 0);
  const child = fork(new URL(script, import.meta.url), [], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async tell(message) {
      child.send(message);
      await once(child, 'message');
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Waits for 200 from /readyz. After `patience` milliseconds, throws the text of the last response. */
export async function untilReady(child: Pick<ChildProcess, 'exitCode'>, url: string, patience = 60_000): Promise<void> {
  for (let refusedSince: number | undefined; ; ) {
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    const said = await answer?.text().catch(() => undefined);
    if (answer) refusedSince ??= performance.now();
    if (refusedSince !== undefined && performance.now() - refusedSince >= patience)
      throw new Error(`the server does not get ready; ${url} says ${said}`);
    await sleep(10);
  }
}
