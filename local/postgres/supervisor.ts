import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearOrphan } from './orphan.ts';
import type { Place } from './place.ts';
import { startPostmaster, stopPostmaster } from './postmaster.ts';

export interface SupervisorOptions {
  place: Place;
  socketDirectory: string;
  durable: boolean;
  /** Told when the postmaster died under us, when it is back, and why it is not. */
  onEvent: (message: string) => void;
}

export interface Supervisor {
  /** The postmaster's process id; undefined while it is being restarted. */
  readonly pid: number | undefined;
  stop: () => Promise<void>;
}

const LONGEST_PAUSE = 5_000;

const startOnce = async ({ place, socketDirectory, durable }: SupervisorOptions): Promise<ChildProcess> => {
  await clearOrphan(place.directory);
  return startPostmaster(place, socketDirectory, durable);
};

// After kill -9 of the postmaster its children need a moment to notice, and until then a new one is refused.
const startWithRetries = async (
  options: SupervisorOptions,
  giveUp: () => boolean,
): Promise<ChildProcess | undefined> => {
  for (let pause = 100; !giveUp(); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await startOnce(options);
    } catch (error) {
      options.onEvent(`${(error as Error).message}\nTrying again in ${pause} ms.`);
      await sleep(pause);
    }
  }
};

/** Keeps one PostgreSQL running until `stop`: whatever ends it, it is started again, on the same socket. */
export const supervise = async (options: SupervisorOptions): Promise<Supervisor> => {
  let stopping = false;
  let restarting: Promise<void> | undefined;
  let child: ChildProcess | undefined;

  const restart = async (): Promise<void> => {
    child = await startWithRetries(options, () => stopping);
    restarting = undefined;
    if (child) options.onEvent(`PostgreSQL is back (pid ${child.pid}).`);
    watch();
  };
  const watch = (): void => {
    child?.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      options.onEvent(`PostgreSQL ended (${signal ?? `exit code ${code}`}); starting it again.`);
      restarting = restart();
    });
  };

  child = await startFirst(options);
  watch();
  return {
    get pid() {
      return child?.pid;
    },
    stop: async () => {
      stopping = true;
      await restarting;
      if (child) await stopPostmaster(child);
    },
  };
};

const FIRST_START_PATIENCE = 3_000;

/** A zombie or the children of a killed postmaster may be in the way for a moment; a real fault stays and is thrown. */
const startFirst = async (options: SupervisorOptions): Promise<ChildProcess> => {
  for (const end = Date.now() + FIRST_START_PATIENCE; ; await sleep(200)) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
};
