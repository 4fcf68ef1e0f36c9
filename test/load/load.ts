import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Pace, Report } from './load-process.ts';
import type { Window } from './outcomes.ts';
import type { Material } from './traffic.ts';

export interface Load {
  pid: number;
  /** Starts a run, which ends the one before: its requests go on, and count there. */
  start(pace: Pace): LoadRun;
  /** Runs for this time and waits until every request has ended. */
  run(pace: Pace, seconds: number): Promise<Window[]>;
  stop(): Promise<void>;
}

export interface LoadRun {
  /** Grows by one each half second, until every request has ended. */
  windows: Window[];
  /** Ends the run and waits until every request has ended. */
  settle(): Promise<Window[]>;
}

/** A process that sends traffic to this port of the machine. */
export function startLoad(port: number, material: Material): Load {
  const child = fork(new URL('./load-process.ts', import.meta.url), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const runs: { windows: Window[]; settled: PromiseWithResolvers<void> }[] = [];
  const tell = (command: Command) => void child.send(command);
  tell({ do: 'prepare', port, material, seed: Date.now() });
  child.on('message', ({ run, window, isSettled }: Report) => {
    const { windows, settled } = runs[run]!;
    windows.push(window);
    if (isSettled) settled.resolve();
  });
  child.once('exit', (code) => {
    for (const { settled } of runs) settled.reject(new Error(`the load ended with exit code ${code}`));
  });
  const start = (pace: Pace): LoadRun => {
    const run = { windows: [], settled: Promise.withResolvers<void>() };
    run.settled.promise.catch(() => {});
    const id = runs.push(run) - 1;
    tell({ do: 'run', run: id, pace });
    return {
      windows: run.windows,
      async settle() {
        tell({ do: 'stop', run: id });
        await run.settled.promise;
        return run.windows;
      },
    };
  };
  return {
    pid: child.pid!,
    start,
    async run(pace, seconds) {
      const run = start(pace);
      await sleep(seconds * 1000);
      return run.settle();
    },
    async stop() {
      child.removeAllListeners('exit');
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
