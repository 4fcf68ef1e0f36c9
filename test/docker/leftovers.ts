import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirInUse, type Lock, lockDataDir } from '../../local/lock.ts';
import { IMAGE, mustDocker } from './docker.ts';

/** Waits until no other run on this machine uses the engine, because runs share the names of images and containers. */
export const takeEngine = async (): Promise<Lock> => {
  for (let seconds = 0; ; seconds++) {
    try {
      return lockDataDir(join(tmpdir(), `${IMAGE}-lock`), 'start');
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      if (seconds === 0) console.log('Another run of these checks is going on here; waiting for its end.');
      await sleep(1000);
    }
  }
};

const list = (...args: string[]): string[] =>
  mustDocker([...args, '--quiet', '--filter', `name=^${IMAGE}-`])
    .split('\n')
    .filter(Boolean);

const remove = (command: string[], what: string[]): void => {
  if (what.length > 0) mustDocker([...command, ...what]);
};

/**
 * Removes what a killed run left behind. Its containers restart with the engine, and `compose up` would reuse them with
 * a volume that has a different password.
 */
export const removeLeftovers = (): void => {
  const containers = list('ps', '--all');
  if (containers.length > 0) console.log(`Removing ${containers.length} containers that an earlier run left.`);
  remove(['rm', '--force', '--volumes'], containers);
  remove(['network', 'rm'], list('network', 'ls'));
  remove(['volume', 'rm'], list('volume', 'ls'));
};
