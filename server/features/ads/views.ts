import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { createBatches } from '../stats/batches.ts';
import { hashVisitor, isRobot, type Viewer } from '../stats/visits.ts';
import { addViews, type View } from './repository.ts';

export interface ViewCounter {
  /** Keeps a view, to be written within seconds. Never waits and never fails. */
  count(actor: Actor, ad: { id: string; user_id: string }, viewer: Viewer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Counts an ad's views once per viewer and day; its owner's and robots' not at all. Views are collected in memory and
 * written in batches to a narrow table: single updates of the ad's row are much slower.
 */
export function createViewCounter(db: Db, log: Logger, secret: string, now: () => Date): ViewCounter {
  const batches = createBatches<View>((views) => addViews(db, views), log);
  return {
    count(actor, ad, { ip, userAgent, isPrefetch }) {
      if (isPrefetch || isSelf(actor, ad.user_id) || isRobot(userAgent)) return;
      const day = now().toISOString().slice(0, 10);
      const viewer = hashVisitor(secret, day, actor.kind === 'user' ? `user ${actor.id}` : `${ip} ${userAgent}`);
      batches.set(`${ad.id} ${viewer.toString('base64')}`, { day, adId: ad.id, viewer });
    },
    flush: batches.flush,
    close: batches.close,
  };
}
