import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../../server/node-flags.ts';

export interface ServerOptions {
  root: string;
  env: NodeJS.ProcessEnv;
  /** Where its log goes; undefined means: to our own output. */
  logFile: string | undefined;
}

/** Starts server/main.ts as a process that ends with us, but does not get our Ctrl-C: it is stopped before its database. */
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
  return child;
};

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** Resolves when the server says that it is ready; throws if it ends before. */
export const waitUntilReady = async (child: ChildProcess, address: string): Promise<void> => {
  while (!(await answers(new URL('/readyz', address).href))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended at once (${child.signalCode ?? `exit code ${child.exitCode}`}).`);
    await sleep(25);
  }
};

export const stopServer = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};
