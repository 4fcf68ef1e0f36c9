import { openBatches } from '../../db/batches.ts';
import type { Db } from '../../db/connect.ts';
import type { Logger } from '../../log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { hashVisitor, isRobot, type Viewer } from '../stats/visitor.ts';
import { addViews, type View } from './views-store.ts';

export interface ViewCounter {
  /** Remembers a view, to be written within seconds. Never waits and never fails. */
  count(actor: Actor, ad: { id: string; user_id: string }, viewer: Viewer): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Counts an ad's views once per viewer and day; its owner's and robots' not at all. Views are gathered in memory and
 * written in batches to a narrow table: one by one on the ad's row they cost 40 times as much (docs/PERFORMANCE.md).
 */
export function openViewCounter(db: Db, log: Logger, secret: string, now: () => Date): ViewCounter {
  const batches = openBatches<View>((views) => addViews(db, views), log);
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
