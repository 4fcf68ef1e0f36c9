import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

const readStat = (pid: number | string): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/**
 * CPU seconds used by a process and its running and ended children. Unlike elapsed time, this hardly depends on other
 * load. NaN without /proc.
 */
export function readCpuSeconds(pid: number): number {
  try {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    const [, , , , , , , , , , , user, system, deadUser, deadSystem] = readStat(pid).map(Number);
    const living = children.reduce((sum, child) => sum + ownTicks(child), 0);
    return (user! + system! + deadUser! + deadSystem! + living) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

function parentOf(pid: string): number {
  try {
    return Number(readStat(pid)[1]);
  } catch {
    return 0;
  }
}

function ownTicks(pid: string): number {
  try {
    const stat = readStat(pid).map(Number);
    return stat[11]! + stat[12]!;
  } catch {
    return 0;
  }
}
