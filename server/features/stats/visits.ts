import { createHash } from 'node:crypto';
import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import { createBatches } from './batches.ts';
import { addVisits, type VisitPart } from './repository.ts';

export interface VisitCounter {
  /** Counts a page view. Never waits and never fails. */
  count(viewer: Viewer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Calls within this time belong to the same page. Milliseconds. */
const SAME_PAGE_MS = 2000;

/** Counts visits, their length and pages, without a cookie. Robots do not count. */
export function createVisitCounter(db: Db, log: Logger, secret: string, now: () => Date): VisitCounter {
  const batches = createBatches<VisitPart>((parts) => addVisits(db, parts), log);
  return {
    count({ ip, userAgent, isPrefetch }) {
      if (isPrefetch || isRobot(userAgent)) return;
      const at = now();
      const day = at.toISOString().slice(0, 10);
      const visitor = hashVisitor(secret, day, `visit ${ip} ${userAgent}`);
      const key = visitor.toString('base64');
      const part = batches.get(key);
      const isSamePage = part !== undefined && at.getTime() - part.lastAt.getTime() < SAME_PAGE_MS;
      const pages = (part?.pages ?? 0) + (isSamePage ? 0 : 1);
      batches.set(key, { day, visitor, firstAt: part?.firstAt ?? at, lastAt: at, pages });
    },
    flush: batches.flush,
    close: batches.close,
  };
}

/** What a request says about its sender. */
export interface Viewer {
  ip: string;
  userAgent: string;
  /** Fetched before a click that may not come. */
  isPrefetch: boolean;
}

// Search engines, link previews and tools.
const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

/** True for programs, and for requests without a User-Agent. */
export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A hash that identifies a visitor for one day only. It needs no cookie and cannot be reversed. */
export const hashVisitor = (secret: string, day: string, visitor: string): Buffer =>
  createHash('sha256').update(`${secret}\n${day}\n${visitor}`).digest().subarray(0, 16);
