import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a postmaster writes into its data directory; see pidfile.h of PostgreSQL. */
export interface PidFile {
  pid: number;
  socketDirectory: string;
  ready: boolean;
}

export const pidFilePath = (directory: string): string => join(directory, 'postmaster.pid');

export const readPidFile = (directory: string): PidFile | undefined => {
  const path = pidFilePath(directory);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n');
  const pid = Math.abs(Number(lines[0]));
  return pid ? { pid, socketDirectory: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' } : undefined;
};

/** State and command line of a process; undefined when there is none. A zombie's command line is empty. */
const readProcess = (pid: number): { zombie: boolean; command: string } | undefined => {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return { zombie: /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2)), command };
    }
    const line = execFileSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { zombie: line.startsWith('Z'), command: line };
  } catch {
    return undefined;
  }
};

/** Whether `pid` is a live postmaster of `directory`, and not a zombie or a stranger that was given the same number. */
export const isPostmaster = (pid: number, directory: string): boolean => {
  const found = readProcess(pid);
  return (
    found !== undefined && !found.zombie && found.command.includes('postgres') && found.command.includes(directory)
  );
};
