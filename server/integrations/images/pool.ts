import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../errors.ts';
import { NODE_FLAGS } from '../../lib/node-flags.ts';

export type PoolOptions = {
  script: URL;
  size: number;
  maxWaiting: number;
  /** A process is replaced after this many jobs: image libraries fragment memory. */
  jobsPerProcess: number;
  deadlineMs: number;
  onExit?: (reason: string) => void;
};

type Job = { request: object; resolve: (reply: unknown) => void; reject: (error: Error) => void };
type Worker = { child: ChildProcess; done: number; job?: Job; timer?: NodeJS.Timeout };

/**
 * Runs jobs in child processes that start on first use. A process that crashes, is killed or exceeds the deadline
 * fails only its own job (image_worker_failed); a full queue refuses (overloaded).
 */
export function createPool(options: PoolOptions) {
  const workers = new Set<Worker>();
  const waiting: Job[] = [];
  let closed = false;

  function start(): Worker {
    const child = fork(options.script, [], {
      serialization: 'advanced',
      execArgv: [...NODE_FLAGS, '--max-old-space-size=256'],
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const worker: Worker = { child, done: 0 };
    workers.add(worker);
    child.on('message', (reply) => finish(worker, reply));
    child.on('error', () => {
      // A process that was never started emits no exit.
      if (child.pid === undefined) handleExit(worker, 'could not start');
      else child.kill('SIGKILL');
    });
    child.on('exit', (code, signal) => handleExit(worker, signal ?? `exit ${code}`));
    return worker;
  }

  function finish(worker: Worker, reply: unknown) {
    const { job } = worker;
    release(worker);
    if (worker.done >= options.jobsPerProcess) retire(worker);
    job?.resolve(reply);
    advance();
  }

  function handleExit(worker: Worker, reason: string) {
    const { job } = worker;
    workers.delete(worker);
    release(worker);
    if (job) options.onExit?.(reason);
    job?.reject(new AppError('image_worker_failed'));
    if (!closed) advance();
  }

  function release(worker: Worker) {
    clearTimeout(worker.timer);
    worker.job = undefined;
    worker.child.unref();
    worker.child.channel?.unref();
  }

  function retire(worker: Worker) {
    workers.delete(worker);
    worker.child.disconnect();
  }

  function advance() {
    while (waiting.length > 0) {
      const idle = [...workers].find((worker) => !worker.job) ?? (workers.size < options.size ? start() : undefined);
      if (!idle) return;
      assign(idle, waiting.shift() as Job);
    }
  }

  function assign(worker: Worker, job: Job) {
    worker.job = job;
    worker.done += 1;
    worker.child.ref();
    worker.child.channel?.ref();
    worker.timer = setTimeout(() => worker.child.kill('SIGKILL'), options.deadlineMs);
    worker.child.send(job.request, (error) => error && worker.child.kill('SIGKILL'));
  }

  return {
    run(request: object): Promise<unknown> {
      const room = workers.size < options.size || [...workers].some((worker) => !worker.job);
      if (closed || (!room && waiting.length >= options.maxWaiting)) {
        return Promise.reject(new AppError('overloaded'));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        advance();
      });
    },
    pids: () => [...workers].map((worker) => worker.child.pid),
    waiting: () => waiting.length,
    busy: () => [...workers].filter((worker) => worker.job).length,
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new AppError('shutting_down'));
      const gone = [...workers].map((worker) => new Promise((resolve) => worker.child.once('exit', resolve)));
      for (const { child } of workers) {
        child.ref();
        child.kill('SIGKILL');
      }
      await Promise.all(gone);
    },
  };
}
