import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import { logout, signInAdmin } from '../../../contract/auth.ts';
import type { AppContext } from '../../app-context.ts';
import { readPoolState } from '../../db/pools.ts';
import { AppError } from '../../errors.ts';
import { addressBucket } from '../request/request-info.ts';
import { SIGN_IN_CALLBACK, SIGN_IN_START } from '../session/x-sign-in.ts';

const SIGN_INS = new Set([
  `GET ${SIGN_IN_START}`,
  `GET ${SIGN_IN_CALLBACK}`,
  ...[signInAdmin, logout].map(({ method, path }) => `${method} ${path}`),
]);
/** Further sign-ins from one address use the general queue. */
const MAX_SIGN_INS_PER_ADDRESS = 4;
/** Below this many running requests, admit immediately. */
const MIN_CONCURRENCY = 100;
/** From this many running requests on, admit only while the event loop is on time. */
const MAX_CONCURRENCY_WHEN_LATE = 200;
const MAX_LOOP_DELAY_MS = 200;
/** With this many queries waiting for a connection, admit nothing beyond MIN_CONCURRENCY. */
const MAX_WAITING_QUERIES = 20;
/** Time in the queue before 503. Rejecting immediately makes clients retry immediately. */
const QUEUE_TIMEOUT_MS = 1000;
/**
 * With more waiting than this, the newest goes first. In order of arrival, every request would wait until just before
 * the timeout; so those that are admitted wait briefly, and only those that are rejected wait long.
 */
const MAX_IN_ORDER = 100;
/** With this many waiting, more are rejected at once: what it costs to let each of them wait is missing elsewhere. */
const MAX_WAITING_REQUESTS = 500;
/** Limit per turn of the event loop: their waits for connections are counted only after the turn. */
const MAX_ADMITTED_AT_ONCE = 32;
const POLL_MS = 50;
const LOOP_WINDOW_MS = 1000;

function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();
  let delayMs = 0;
  const timer = setInterval(() => {
    delayMs = histogram.max / 1e6;
    histogram.reset();
  }, LOOP_WINDOW_MS).unref();
  return {
    delayMs: () => delayMs,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

interface QueuedRequest {
  admit(): void;
  address: string | undefined;
}
type Queue = Set<QueuedRequest>;

const firstOf = (queue: Queue): QueuedRequest | undefined => queue.values().next().value;

/** Finds the request that joined a queue last. */
function createNewestFirst(queue: Queue) {
  let stack: QueuedRequest[] = [];
  return {
    add: (request: QueuedRequest) => void stack.push(request),
    find(): QueuedRequest | undefined {
      // requests that left the queue are dropped now and then
      if (stack.length > 2 * queue.size + MAX_IN_ORDER) stack = [...queue];
      while (stack.length > 0 && !queue.has(stack.at(-1)!)) stack.pop();
      return stack.at(-1);
    },
  };
}

export interface LoadShedder {
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  middleware: Middleware;
  /** Whether the middleware would reject this request at once, as far as can be known before Koa. */
  rejects(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
  close(): void;
}

/** Seconds, at random: the rejected clients do not all return together. */
export const drawRetryAfter = (): number => 1 + Math.floor(Math.random() * 5);

const isSignIn = (method = '', path = ''): boolean => SIGN_INS.has(`${method} ${path}`);

/**
 * An admission queue. Requests wait while queries wait for connections, or while many requests run on a late event
 * loop; after a timeout they are rejected. A request whose body is still arriving does not count as running: slow
 * uploads cost nothing, and would otherwise keep everyone else waiting. Signing in and out has a separate queue that
 * gets every second place, so that administrators can sign in and other requests still proceed.
 */
export function createLoadShedder(
  appContext: Pick<AppContext, 'db' | 'reads'>,
  { queueTimeoutMs = QUEUE_TIMEOUT_MS, maxWaiting = MAX_WAITING_REQUESTS } = {},
): LoadShedder {
  const loop = watchEventLoop();
  const signIns: Queue = new Set();
  const others: Queue = new Set();
  const newest = createNewestFirst(others);
  let running = 0;
  let isScheduled = false;
  let wasSignIn = false;

  const isDatabaseBusy = () =>
    [appContext.db, appContext.reads].some((db) => readPoolState(db).waiting >= MAX_WAITING_QUERIES);
  const hasRoom = () =>
    running < MIN_CONCURRENCY ||
    (!isDatabaseBusy() && (running < MAX_CONCURRENCY_WHEN_LATE || loop.delayMs() < MAX_LOOP_DELAY_MS));
  const isQueueEmpty = () => signIns.size + others.size === 0;
  const isFull = () => others.size >= maxWaiting;

  const nextOfOthers = () => (others.size > MAX_IN_ORDER ? newest.find() : firstOf(others));

  function admitQueued(max: number): void {
    for (let count = 0; count < max; count++) {
      const next = (wasSignIn ? nextOfOthers() : undefined) ?? firstOf(signIns) ?? nextOfOthers();
      if (!next || !hasRoom()) return;
      wasSignIn = signIns.has(next);
      next.admit();
    }
  }

  function schedule(): void {
    if (isScheduled || isQueueEmpty()) return;
    isScheduled = true;
    const admit = () => {
      isScheduled = false;
      admitQueued(MAX_ADMITTED_AT_ONCE);
      schedule();
    };
    if (hasRoom()) setImmediate(admit);
    else setTimeout(admit, POLL_MS);
  }

  const waitIn = (queue: Queue, address: string | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = {
        address,
        admit() {
          clearTimeout(timer);
          queue.delete(request);
          running++;
          resolve();
        },
      };
      const expire = () => {
        admitQueued(1);
        if (queue.delete(request)) reject(new AppError('overloaded', { retryAfter: drawRetryAfter() }));
      };
      // setImmediate: after a pause of the process, pending database results are processed first
      const timer = setTimeout(() => setImmediate(expire), queueTimeoutMs);
      queue.add(request);
      if (queue === others) newest.add(request);
      schedule();
    });

  async function run<Result>(queue: Queue, work: () => Promise<Result>, address?: string): Promise<Result> {
    if (queue === others && isFull()) throw new AppError('overloaded', { retryAfter: drawRetryAfter() });
    if (running < MIN_CONCURRENCY && isQueueEmpty()) running++;
    else await waitIn(queue, address);
    try {
      return await work();
    } finally {
      running--;
      // one more than has ended, as long as there is room
      admitQueued(2);
    }
  }

  async function withoutPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    running--;
    admitQueued(1);
    try {
      return await work();
    } finally {
      running++;
    }
  }

  return {
    close: loop.stop,
    rejects: ({ method, url = '' }) => isFull() && url.startsWith('/api/') && !isSignIn(method, url.split('?', 1)[0]),
    inTurn: (work) => run(others, work),
    middleware(ctx, next) {
      const work = async () => {
        if (ctx.res.destroyed) throw new AppError('client_closed_request');
        ctx.state.withoutPlace = withoutPlace;
        await next();
      };
      if (!isSignIn(ctx.method, ctx.path)) return run(others, work);
      const address = addressBucket(ctx.state.ip);
      const queued = [...signIns].filter((request) => request.address === address).length;
      return queued < MAX_SIGN_INS_PER_ADDRESS ? run(signIns, work, address) : run(others, work);
    },
  };
}
