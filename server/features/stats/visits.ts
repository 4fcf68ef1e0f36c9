import { createHash } from 'node:crypto';
import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import { createBatches } from './batches.ts';
import { addVisits, type VisitPart } from './repository.ts';

export interface VisitCounter {
  /** Somebody looked at a page. Never waits and never fails. */
  count(viewer: Viewer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A page's own calls follow it within this time and are no further page. Milliseconds. */
const SAME_PAGE_MS = 2000;

/** Counts visits without a cookie, for how long people stay and how many leave after one page. Robots do not count. */
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

/** What a request tells about who looks. */
export interface Viewer {
  ip: string;
  userAgent: string;
  /** Fetched ahead of a click that may never come. */
  isPrefetch: boolean;
}

// Search engines, link previews and tools: they fetch, they do not look.
const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

/** True for programs, and for whoever does not say what they are. */
export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A hash that knows somebody again for a day and never after it: no cookie, nothing that could be looked up. */
export const hashVisitor = (secret: string, day: string, who: string): Buffer =>
  createHash('sha256').update(`${secret}\n${day}\n${who}`).digest().subarray(0, 16);
