import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, openSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../server/lib/node-flags.ts';

const MAX_LOG_BYTES = 20 * 1024 * 1024;
const ROTATION_INTERVAL_MS = 2_000;

/**
 * Keeps a log and its two older parts (`.1`, `.2`) at about 20 MB each. Copies and truncates: the server, which writes to the
 * open file, notices nothing.
 */
export const rotateLog = (file: string): void => {
  if (statSync(file).size < MAX_LOG_BYTES) return;
  if (existsSync(`${file}.1`)) renameSync(`${file}.1`, `${file}.2`);
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
};

export interface ServerOptions {
  root: string;
  env: NodeJS.ProcessEnv;
  /** The path of its log; undefined means our own output. */
  logFile: string | undefined;
}

/** Starts server/main.ts as a process that ends with ours. It does not get our Ctrl-C: it stops before its database does. */
export const spawnServer = ({ root, env, logFile }: ServerOptions): ChildProcess => {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const preload = new URL('die-with-parent.ts', import.meta.url).href;
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', preload, join(root, 'server/main.ts')], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  if (typeof log === 'number') closeSync(log);
  if (logFile !== undefined) {
    rotateLog(logFile);
    const timer = setInterval(rotateLog, ROTATION_INTERVAL_MS, logFile).unref();
    child.once('exit', () => clearInterval(timer));
  }
  return child;
};

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Resolves when the server says that it is ready; throws if it ends before. */
export const waitUntilReady = async (child: ChildProcess, address: string): Promise<void> => {
  const isReady = () =>
    fetch(new URL('/readyz', address)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (!isRunning(child))
      throw new Error(`The server ended at once (${child.signalCode ?? `exit code ${child.exitCode}`}).`);
    await sleep(25);
  }
};

export const stopServer = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};
