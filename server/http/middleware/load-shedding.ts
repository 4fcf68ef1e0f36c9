import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import { logout, signInAdmin } from '../../../contract/auth.ts';
import type { AppContext } from '../../app-context.ts';
import { type Db, readPoolState } from '../../db/pools.ts';
import { AppError } from '../../errors.ts';
import { addressBucket } from '../client-address.ts';
import { SIGN_IN_CALLBACK, SIGN_IN_START } from '../session/x-sign-in.ts';

/** By method and path: a request that only looks like them is one of the others. */
const SIGNING = new Set([
  `GET ${SIGN_IN_START}`,
  `GET ${SIGN_IN_CALLBACK}`,
  ...[signInAdmin, logout].map(({ method, path }) => `${method} ${path}`),
]);
/** Of one address so many wait in the line of those who sign in; more wait with the others. */
const EACH = 4;
/** Requests at work up to which one more begins at once, whatever waits. */
const FEW = 100;
/** How many that waited begin in the same turn of the event loop: what they need of the database shows only then. */
const AT_ONCE = 32;
/** Requests at work from which on a late event loop is a sign of too many. */
const MANY = 200;
const LATE_MS = 200;
const WINDOW_MS = 1000;
/** Queries that wait for a connection from which on there is enough to do. */
const ENOUGH = 20;
/** How long a request waits for its turn. Refused at once it would be back at once, and refusing be all that is done. */
const PATIENCE_MS = 1000;
/** How often is looked whether it goes on, where nothing ends that would tell. */
const LOOK_MS = 50;

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

/** Those who wait for their turn, first come first served; `look` lets the first begin if there is room by now. */
function openLine(patienceMs: number, look: () => void) {
  const waiting = new Set<() => void>();
  const owners = new Map<string, number>();
  const countOf = (owner: string): number => owners.get(owner) ?? 0;
  const recount = (owner: string | undefined, change: 1 | -1) => {
    if (owner === undefined) return;
    const count = countOf(owner) + change;
    if (count === 0) owners.delete(owner);
    else owners.set(owner, count);
  };
  return {
    isEmpty: () => waiting.size === 0,
    first: (): (() => void) | undefined => waiting.values().next().value,
    /** How many of this owner wait. */
    countOf,
    /** Resolves once it is one's turn; throws when that took too long. */
    wait: (owner?: string) =>
      new Promise<void>((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(begin);
          recount(owner, -1);
        };
        const begin = () => {
          leave();
          resolve();
        };
        const lose = () => {
          look();
          if (!waiting.has(begin)) return;
          leave();
          // so that those who were refused do not come back at the same moment
          reject(new AppError('overloaded', { retryAfter: 1 + Math.floor(Math.random() * 5) }));
        };
        // after a process was held up, what the database has answered meanwhile comes first: it may make room
        const timer = setTimeout(() => setImmediate(lose), patienceMs);
        waiting.add(begin);
        recount(owner, 1);
      }),
  };
}

type Line = ReturnType<typeof openLine>;

export interface LoadShedder {
  /** Does the work when its turn has come; throws overloaded when that took too long. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  middleware: Middleware;
  close(): void;
}

/**
 * Lets requests wait while there is more to do than can be done in time, and refuses those whose turn does not come: what
 * is accepted stays quick, and as much is done as if nobody waited. Many requests at work alone are no overload (slow
 * uploads wait without costing anything): connections must be short or the event loop late, too. Signing in and out has a
 * line of its own, which goes first and takes every second turn: however long it is, it stops nobody else. Only a few of one
 * address stand there, so that a flood of them stops nobody who signs in elsewhere.
 */
export function createLoadShedder(appContext: Pick<AppContext, 'db' | 'reads'>, patienceMs = PATIENCE_MS): LoadShedder {
  const loop = watchLoop();
  const signing = openLine(patienceMs, () => letIn(1));
  const others = openLine(patienceMs, () => letIn(1));
  let atWork = 0;
  let isPlanned = false;
  let wasSigning = false;
  const isNobodyWaiting = () => signing.isEmpty() && others.isEmpty();
  const isCalm = (db: Db) => readPoolState(db).waiting < ENOUGH;
  const hasRoom = () =>
    atWork < FEW || (isCalm(appContext.db) && isCalm(appContext.reads) && (atWork < MANY || loop.late() < LATE_MS));
  const chooseNext = () => (wasSigning ? others.first() : undefined) ?? signing.first() ?? others.first();

  function letIn(most: number): void {
    for (let count = 0; count < most; count++) {
      const begin = chooseNext();
      if (!begin || !hasRoom()) return;
      wasSigning = begin === signing.first();
      atWork++;
      begin();
    }
  }

  function plan(): void {
    if (isPlanned || isNobodyWaiting()) return;
    isPlanned = true;
    const go = () => {
      isPlanned = false;
      letIn(AT_ONCE);
      plan();
    };
    if (hasRoom()) setImmediate(go);
    else setTimeout(go, LOOK_MS);
  }

  function takeTurn(line: Line, owner: string | undefined): Promise<void> | undefined {
    if (atWork < FEW && isNobodyWaiting()) {
      atWork++;
      return undefined;
    }
    const turn = line.wait(owner);
    plan();
    return turn;
  }

  async function workInTurn<Result>(line: Line, work: () => Promise<Result>, owner?: string): Promise<Result> {
    await takeTurn(line, owner);
    try {
      return await work();
    } finally {
      atWork--;
      // one more than has ended, until there is enough to do
      letIn(2);
    }
  }

  return {
    close: loop.close,
    inTurn: (work) => workInTurn(others, work),
    middleware(ctx, next) {
      const work = async () => {
        if (ctx.res.destroyed) throw new AppError('client_closed_request');
        await next();
      };
      if (!SIGNING.has(`${ctx.method} ${ctx.path}`)) return workInTurn(others, work);
      const address = addressBucket(ctx.state.ip);
      return signing.countOf(address) < EACH ? workInTurn(signing, work, address) : workInTurn(others, work);
    },
  };
}
