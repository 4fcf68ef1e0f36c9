import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, openSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../server/lib/node-flags.ts';

const MAX_LOG_BYTES = 20 * 1024 * 1024;
const ROTATION_INTERVAL_MS = 2_000;

/**
 * Rotates a log at about 20 MB and keeps two older files (`.1`, `.2`). Copies and truncates, so that the server can
 * continue to write to the open file.
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
  logFile: string | undefined;
}

/**
 * Starts server/main.ts. The process ends with ours but does not receive our Ctrl-C, because it must stop before its
 * database.
 */
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

/** Resolves when the server reports that it is ready. Throws if it ends first. */
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
