import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { readPoolState } from '../db/pool-state.ts';
import { AppError } from '../errors.ts';

/** Requests at work from which on a process may be overloaded; signing in and out is refused last. */
const AT_WORK = 200;
const AT_WORK_AUTH = 400;
const WAITING_FOR_A_CONNECTION = 50;
const LATE_MS = 200;
const WINDOW_MS = 1000;

/** How late the event loop was at worst, within about the last second. */
function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();
  let late = 0;
  const timer = setInterval(() => {
    late = histogram.max / 1e6;
    histogram.reset();
  }, WINDOW_MS).unref();
  return {
    late: () => late,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

export interface Shedder {
  middleware: Middleware;
  close(): void;
}

/**
 * Refuses work, early and cheaply, when there is more of it than can be done in time: what is accepted stays quick. Many
 * requests at work alone are no overload (slow uploads wait without costing anything): connections must be short or the
 * event loop late, too.
 */
export function openShedder({ db }: App): Shedder {
  const loop = watchLoop();
  let atWork = 0;
  const isOverloaded = () => loop.late() > LATE_MS || readPoolState(db).waiting > WAITING_FOR_A_CONNECTION;
  return {
    close: loop.close,
    async middleware(ctx, next) {
      const limit = ctx.path.startsWith('/api/auth/') ? AT_WORK_AUTH : AT_WORK;
      // so that those who were refused do not come back at the same moment
      const retryAfter = 1 + Math.floor(Math.random() * 5);
      if (atWork >= limit && isOverloaded()) throw new AppError('overloaded', { retryAfter });
      atWork++;
      try {
        await next();
      } finally {
        atWork--;
      }
    },
  };
}
