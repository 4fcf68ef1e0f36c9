import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import type { Db } from '../../db/pools.ts';
import { addressBucket, limitKey } from '../../http/request/request-info.ts';
import type { Logger } from '../../observability/log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { addViews, type View } from '../ads/repository.ts';
import { addVisits, type VisitPart } from './repository.ts';

/** `count` queues a fact, to be written within seconds; it never waits or fails. `flush` writes what is queued. */
interface BatchedCounter<Facts extends unknown[]> {
  count(...facts: Facts): void;
  flush(): Promise<void>;
}

export type VisitCounter = BatchedCounter<[viewer: Viewer]>;

const SAME_PAGE_MS = 2000;

/**
 * Counts visits, their length and pages, without a cookie: one visitor a day for an address (IPv6: a /64), whatever browser it
 * names. Ignores robots.
 */
export function createVisitCounter(db: Db, log: Logger, secret: string, now: () => Date): VisitCounter {
  const batches = createBatches<VisitPart>((parts) => addVisits(db, parts), log);
  return {
    count({ ip, userAgent, isPrefetch }) {
      if (isPrefetch || isRobot(userAgent)) return;
      const at = now();
      const day = at.toISOString().slice(0, 10);
      const visitor = hashVisitor(secret, day, `visit ${addressBucket(ip)}`);
      const key = visitor.toString('base64');
      const part = batches.get(key);
      const isSamePage = part !== undefined && at.getTime() - part.lastAt.getTime() < SAME_PAGE_MS;
      const pages = (part?.pages ?? 0) + (isSamePage ? 0 : 1);
      batches.set(key, { day, visitor, firstAt: part?.firstAt ?? at, lastAt: at, pages });
    },
    flush: batches.flush,
  };
}

export interface Viewer {
  ip: string;
  userAgent: string;
  isPrefetch: boolean;
}

const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A hash that identifies a visitor for one day only. It needs no cookie and cannot be reversed. */
export const hashVisitor = (secret: string, day: string, visitor: string): Buffer =>
  createHash('sha256').update(`${secret}\n${day}\n${visitor}`).digest().subarray(0, 16);

const KNOWN_VIEWERS = 50_000;

export type ViewCounter = BatchedCounter<[actor: Actor, ad: { id: string; user_id: string }, viewer: Viewer]>;

/**
 * Counts an ad's views once a day of the time zone for a person, or for an address (IPv6: a /64) of signed-out people, except
 * those of its owner and of robots. Each counts at most LIMITS.viewsPerDay: cached responses have no rate limit, and what
 * they count is a row. Views are collected in memory and written in batches to a narrow table, because updates of the
 * ad's row are much slower.
 */
export function createViewCounter(db: Db, log: Logger, secret: string, now: () => Date, timeZone: string): ViewCounter {
  const batches = createBatches<View>((views) => addViews(db, views), log);
  // the Swedish format is ISO 8601
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const counted = new LRUCache<string, number>({ max: KNOWN_VIEWERS });
  return {
    count(actor, ad, { ip, userAgent, isPrefetch }) {
      if (isPrefetch || isSelf(actor, ad.user_id) || isRobot(userAgent)) return;
      const day = days.format(now());
      const viewer = hashVisitor(secret, day, limitKey(actor, ip));
      const name = viewer.toString('base64');
      const before = counted.get(name) ?? 0;
      if (before >= LIMITS.viewsPerDay) return;
      counted.set(name, before + 1);
      batches.set(`${ad.id} ${name}`, { day, adId: ad.id, viewer });
    },
    flush: batches.flush,
  };
}

export interface Batches<V> {
  get(key: string): V | undefined;
  /** Queues a value, replacing one with the same key. Drops it when the queue is full. */
  set(key: string, value: V): void;
  /** Writes the queued values. Never throws: a failed batch joins the next one, in which newer values win. */
  flush(): Promise<void>;
}

const MAX_KEPT = 20_000;
const FLUSH_MS = 1000;

/** Collects values in memory and writes them together, at most once a second and one batch at a time. */
export function createBatches<V>(write: (values: V[]) => Promise<void>, log: Logger): Batches<V> {
  let kept = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeKept(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (kept.size === 0) return;
    const batch = kept;
    kept = new Map();
    try {
      await write([...batch.values()]);
    } catch (error) {
      log.warn({ err: error }, 'a batch could not be written yet');
      kept = new Map([...batch, ...kept].slice(-MAX_KEPT));
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(writeKept);
    return writing;
  }

  return {
    get: (key) => kept.get(key),
    set(key, value) {
      if (kept.size >= MAX_KEPT && !kept.has(key)) return;
      kept.set(key, value);
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
  };
}
