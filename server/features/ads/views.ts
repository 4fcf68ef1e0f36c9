import { deleteInBatches } from '../../db/bulk.ts';
import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { createBatches } from '../stats/batches.ts';
import { hashVisitor, isRobot, type Viewer } from '../stats/visits.ts';

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

/** Somebody looked at an ad on a day; `viewer` is a hash that names nobody. */
export interface View {
  day: string;
  adId: string;
  viewer: Buffer;
}

/** Adds views that were not seen before that day, in one statement; ads in order of id, so that two batches cannot deadlock. */
export const addViews = async (db: Db, views: readonly View[]): Promise<void> => {
  await db.raw(
    `with fresh as (
       insert into ad_view_seen (day, ad_id, viewer)
       select day, ad_id, viewer from unnest(?::date[], ?::bigint[], ?::bytea[]) as seen (day, ad_id, viewer)
       order by ad_id, viewer on conflict do nothing returning ad_id
     )
     insert into ad_views as v (ad_id, views)
     select a.id, count(*) from fresh join ads a on a.id = fresh.ad_id and a.state <> 'deleted'
     group by a.id order by a.id
     on conflict (ad_id) do update set views = v.views + excluded.views`,
    [views.map((view) => view.day), views.map((view) => view.adId), views.map((view) => view.viewer)],
  );
};

/** Deletes who saw which ad before yesterday; the counts stay. */
export const deleteOldViewers = (db: Db): Promise<number> =>
  deleteInBatches(db, 'ad_view_seen', 'day < current_date - 1');
