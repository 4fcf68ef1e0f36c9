import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnvironment } from './cluster.ts';
import { readPidFile } from './pid-file.ts';
import type { Place } from './place.ts';

const megabytes = (share: number, most: number): string =>
  `${Math.max(32, Math.min(most, Math.floor((totalmem() / 2 ** 20) * share)))}MB`;

const settings = (socketDirectory: string, durable: boolean): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: '5432',
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: megabytes(1 / 8, 512),
  effective_cache_size: megabytes(1 / 2, 16_384),
  // Measured with a million ads: compiling and parallel workers cost more than our short queries take.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  work_mem: '16MB',
  ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }),
});

const logSince = (file: string, start: number): string => {
  const lines = readFileSync(file).subarray(start).toString().trim().split('\n');
  return lines.slice(-5).join('\n');
};

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/**
 * Starts a postmaster and waits until it takes connections. In a session of its own: Ctrl-C goes to everything in ours,
 * and the server must finish its requests before its database goes. Throws with the last lines of the log if it ends first.
 */
export const startPostmaster = async (
  place: Place,
  socketDirectory: string,
  durable: boolean,
): Promise<ChildProcess> => {
  const log = openSync(place.logFile, 'a');
  const { size } = statSync(place.logFile);
  const flags = Object.entries(settings(socketDirectory, durable)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawn(place.binaries.postgres, ['-D', place.directory, ...flags], {
    ...place.account,
    cwd: '/',
    detached: true,
    env: cleanEnvironment(),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn');
  while (isRunning(child)) {
    const file = readPidFile(place.directory);
    if (file?.pid === child.pid && file?.ready) return child;
    await sleep(10);
  }
  throw new Error(`PostgreSQL did not start:\n${logSince(place.logFile, size)}`);
};

/** Stops a postmaster: clients are cut off, everything committed is on disk. Resolves when the process has gone. */
export const stopPostmaster = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
};
