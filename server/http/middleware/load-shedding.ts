import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import { logout, signInAdmin, X_SIGN_IN } from '../../../contract/auth.ts';
import { streamMessages } from '../../../contract/messages.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../../../contract/passkeys.ts';
import { recoverByCode, recoverByLink } from '../../../contract/recovery.ts';
import type { AppContext } from '../../app-context.ts';
import { readPoolState } from '../../db/pools.ts';
import { addressBucket } from '../../endpoints/client-address.ts';
import { AppError } from '../../errors.ts';

const SIGN_INS = new Set([
  `GET ${X_SIGN_IN.start}`,
  `GET ${X_SIGN_IN.callback}`,
  ...[signInAdmin, beginPasskeySignIn, signInWithPasskey, recoverByLink, recoverByCode, logout].map(
    ({ method, path }) => `${method} ${path}`,
  ),
]);
/** Further sign-ins or writes from one address wait among the reads. */
const MAX_WAITING_PER_ADDRESS = 4;
/** Below this many running requests, admit immediately, whatever the database is doing. */
const MIN_CONCURRENCY = 6;
/** From this many running requests on, admit only while the event loop is on time. */
const MAX_CONCURRENCY_WHEN_LATE = 200;
const MAX_LOOP_DELAY_MS = 200;
/** Time in the queue before 503. Rejecting immediately makes clients retry immediately. */
const QUEUE_TIMEOUT_MS = 1000;
/**
 * With more waiting than this, the newest goes first. In order of arrival, every request would wait until just before
 * the timeout; so those that are admitted wait briefly, and only those that are rejected wait long.
 */
const MAX_IN_ORDER = 50;
/** With this many in a queue, more are rejected at once: what it costs to let each of them wait is missing elsewhere. */
const MAX_WAITING_REQUESTS = 700;
/** Limit per turn of the event loop: their waits for connections are counted only after the turn. */
const MAX_ADMITTED_AT_ONCE = 6;
const POLL_MS = 10;
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

/** Requests that wait. Up to MAX_IN_ORDER the oldest goes first, beyond that the newest. */
function createQueue(maxWaiting: number) {
  const waiting = new Set<QueuedRequest>();
  let stack: QueuedRequest[] = [];

  function findNewest(): QueuedRequest | undefined {
    while (stack.length > 0 && !waiting.has(stack.at(-1)!)) stack.pop();
    return stack.at(-1);
  }

  return {
    get size() {
      return waiting.size;
    },
    isFull: () => waiting.size >= maxWaiting,
    countFrom: (address: string) => [...waiting].filter((request) => request.address === address).length,
    add(request: QueuedRequest): void {
      waiting.add(request);
      stack.push(request);
      // forgets now and then those that have left
      if (stack.length > 2 * waiting.size + MAX_IN_ORDER) stack = [...waiting];
    },
    remove: (request: QueuedRequest) => waiting.delete(request),
    next: () => (waiting.size > MAX_IN_ORDER ? findNewest() : waiting.values().next().value),
  };
}
type Queue = ReturnType<typeof createQueue>;

export interface LoadShedder {
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  middleware: Middleware;
  /** Whether the queue of this request is full. The middleware then rejects it at once. */
  isFullFor(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
  close(): void;
}

/** Seconds, at random: the rejected clients do not all return together. */
export const drawRetryAfter = (): number => 1 + Math.floor(Math.random() * 5);

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * An admission queue. Requests wait while queries wait for connections, because more of them would only make each take
 * longer, or while many requests run on a late event loop; after a timeout they are rejected. A request whose body is
 * still arriving does not count as running: slow uploads cost nothing, and would otherwise keep everyone else waiting.
 * Signing in and out, writes, reads, and event streams have a queue each and take turns, writes most often:
 * administrators can sign in and messages are sent, however many read.
 */
export function createLoadShedder(
  appContext: Pick<AppContext, 'db' | 'reads'>,
  { queueTimeoutMs = QUEUE_TIMEOUT_MS, maxWaiting = MAX_WAITING_REQUESTS } = {},
): LoadShedder {
  const loop = watchEventLoop();
  const signIns = createQueue(maxWaiting);
  const writes = createQueue(maxWaiting);
  const reads = createQueue(maxWaiting);
  /** After a restart, all open pages ask for their event stream in the same moment. */
  const streams = createQueue(maxWaiting);
  /** The cache serves most reads while the server is overloaded; it cannot serve a write. */
  const turns = [signIns, writes, writes, reads, writes, writes, streams];
  let turn = 0;
  let running = 0;
  let isScheduled = false;

  const isDatabaseBusy = () => [appContext.db, appContext.reads].some((db) => readPoolState(db).waiting > 0);
  const hasRoom = () =>
    running < MIN_CONCURRENCY ||
    (!isDatabaseBusy() && (running < MAX_CONCURRENCY_WHEN_LATE || loop.delayMs() < MAX_LOOP_DELAY_MS));
  const isQueueEmpty = () => turns.every(({ size }) => size === 0);

  /** Call only while a request waits. */
  function takeTurn(): Queue {
    let queue: Queue;
    do {
      queue = turns[turn]!;
      turn = (turn + 1) % turns.length;
    } while (queue.size === 0);
    return queue;
  }

  function admitQueued(max: number): void {
    for (let count = 0; count < max && !isQueueEmpty() && hasRoom(); count++) takeTurn().next()?.admit();
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
          queue.remove(request);
          running++;
          resolve();
        },
      };
      const expire = () => {
        admitQueued(1);
        if (queue.remove(request)) reject(new AppError('overloaded', { retryAfter: drawRetryAfter() }));
      };
      // setImmediate: after a pause of the process, pending database results are processed first
      const timer = setTimeout(() => setImmediate(expire), queueTimeoutMs);
      queue.add(request);
      schedule();
    });

  async function run<Result>(queue: Queue, work: () => Promise<Result>, address?: string): Promise<Result> {
    if (queue.isFull()) throw new AppError('overloaded', { retryAfter: drawRetryAfter() });
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

  const queueOf = (method = '', path = ''): Queue => {
    if (SIGN_INS.has(`${method} ${path}`)) return signIns;
    if (path === streamMessages.path) return streams;
    return READ_METHODS.has(method) ? reads : writes;
  };

  return {
    close: loop.stop,
    isFullFor: ({ method, url = '' }) => queueOf(method, url.split('?', 1)[0]).isFull(),
    inTurn: (work) => run(reads, work),
    middleware(ctx, next) {
      const work = async () => {
        if (ctx.res.destroyed) throw new AppError('client_closed_request');
        ctx.state.withoutPlace = withoutPlace;
        await next();
      };
      const queue = queueOf(ctx.method, ctx.path);
      if (queue === reads || queue === streams) return run(queue, work);
      const address = addressBucket(ctx.state.ip);
      return run(queue.countFrom(address) < MAX_WAITING_PER_ADDRESS ? queue : reads, work, address);
    },
  };
}
