import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { perProcess } from '../../app-context.ts';
import { type BatchedCounter, createBatches } from '../../db/batches.ts';
import type { Db } from '../../db/pools.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { hashVisitor, isRobot, type Visitor } from '../../endpoints/visitor.ts';
import type { Logger } from '../../observability/log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { addViews, type View } from './repository.ts';

const KNOWN_VIEWERS = 50_000;

export type ViewCounter = BatchedCounter<[actor: Actor, ad: { id: string; user_id: string }, visitor: Visitor]>;

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

export const getViewCounter = perProcess(({ db, log, config, clock, onClose }) => {
  const counter = createViewCounter(db, log, config.sessionKeys[0] ?? '', clock.now, config.timeZone);
  onClose(counter.flush);
  return counter;
});
