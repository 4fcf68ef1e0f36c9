import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostmaster, pidFilePath, readPidFile } from './pid-file.ts';

const answers = async (socketDirectory: string): Promise<boolean> => {
  const socket = connect(join(socketDirectory, '.s.PGSQL.5432'));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

const waitForEnd = async (pid: number, directory: string, milliseconds: number): Promise<boolean> => {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(20))
    if (!isPostmaster(pid, directory)) return true;
  return false;
};

const stopOrphan = async (pid: number, directory: string): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    if (await waitForEnd(pid, directory, 10_000)) return;
  }
  throw new Error(`The PostgreSQL of ${directory} (pid ${pid}) does not stop; end it and start again.`);
};

/**
 * Makes `directory` free for a new postmaster. What an earlier run left, killed with -9, is one of: a live postmaster
 * (stopped), the pid file of a process that is gone, is a zombie, or whose number another process got since (removed:
 * PostgreSQL itself would refuse to start, for ever if that other process is of the same user).
 */
export const clearOrphan = async (directory: string): Promise<void> => {
  const left = readPidFile(directory);
  if (!left) return;
  if (isPostmaster(left.pid, directory)) return stopOrphan(left.pid, directory);
  // Alive, but not among the processes we see: another container works on the same volume.
  if (left.socketDirectory && (await answers(left.socketDirectory)))
    throw new Error(`Another PostgreSQL, outside this system, is running on ${directory}.`);
  rmSync(pidFilePath(directory), { force: true });
};
