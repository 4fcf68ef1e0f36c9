import { openBatches } from '../../db/batches.ts';
import type { Db } from '../../db/connect.ts';
import type { Logger } from '../../log.ts';
import { hashVisitor, isRobot, type Viewer } from './visitor.ts';
import { addVisits, type VisitPart } from './visits-store.ts';

export interface VisitCounter {
  /** Somebody looked at a page. Never waits and never fails. */
  count(viewer: Viewer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A page's own calls follow it within this time and are no further page. Milliseconds. */
const SAME_PAGE_MS = 2000;

/** Counts visits without a cookie, for how long people stay and how many leave after one page. Robots do not count. */
export function openVisitCounter(db: Db, log: Logger, secret: string, now: () => Date): VisitCounter {
  const batches = openBatches<VisitPart>((parts) => addVisits(db, parts), log);
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
