import type { Db } from '../../db/connect.ts';

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

/** Forgets who saw what before yesterday; the counts stay. */
export const forgetViewers = (db: Db): Promise<number> =>
  db('ad_view_seen').whereRaw('day < current_date - 1').delete();
