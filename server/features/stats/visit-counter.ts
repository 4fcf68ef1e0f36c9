import { perProcess } from '../../app-context.ts';
import { type BatchedCounter, createBatches } from '../../db/batches.ts';
import type { Db } from '../../db/pools.ts';
import { addressBucket } from '../../endpoints/client-address.ts';
import { hashVisitor, isRobot, type Visitor } from '../../endpoints/visitor.ts';
import type { Logger } from '../../observability/log.ts';
import { addVisits, type VisitPart } from './repository.ts';

export type VisitCounter = BatchedCounter<[visitor: Visitor]>;

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

export const getVisitCounter = perProcess(({ db, log, config, clock, onClose }) => {
  const counter = createVisitCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  onClose(counter.flush);
  return counter;
});
