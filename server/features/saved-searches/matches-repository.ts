import { LIMITS } from '../../../contract/limits.ts';
import type { Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import { isSetAside } from '../../db/set-aside.ts';
import { IS_PUBLIC } from '../ads/publications-repository.ts';
import { matchStored } from '../ads/search/filters.ts';
import { selectBlocked } from '../users/repository.ts';
import { type Moment, nextNotification } from './repository.ts';

/**
 * Records which saved searches the new ads match, and when their owners are notified. Candidates are the searches whose
 * rarest word the ad has, and those without words in its category and price range; only these are tested completely. A
 * search that is deleted meanwhile is left out.
 */
export const recordMatches = async (trx: Trx, ids: readonly string[], moment: Moment): Promise<void> => {
  const candidate = (condition: string) => `select s.id, s.user_id, s.frequency, s.resolved, fresh.id as ad_id
    from fresh join saved_searches s on ${condition}
      and s.min_price <= fresh.price and s.max_price >= fresh.price
      and (s.category_id is null or s.category_id = fresh.category_id)
      and s.created_at < fresh.public_at and s.user_id <> fresh.user_id and s.user_id <> all (fresh.strangers)
      and not ${isSetAside('match-searches', 's.id')}`;
  await queryPrepared(
    trx,
    `with fresh as materialized (
       select a.id, a.user_id, a.category_id, a.price, p.public_at, tsvector_to_array(ad_words(a.id, 0)) as words,
         array(select blocker_id from blocks where blocked_id = a.user_id
           union all select blocked_id from blocks where blocker_id = a.user_id) as strangers
       from ads a join ad_publications p on p.ad_id = a.id join users u on u.id = a.user_id
       where a.id = any(:ids::bigint[]) and ${IS_PUBLIC}
     ), candidates as (
       ${candidate('s.key_words && fresh.words')}
       union all
       ${candidate('s.key_words is null and s.category_id = fresh.category_id')}
       union all
       ${candidate('s.key_words is null and s.category_id is null')}
     ), matched as materialized (
       select s.id as search_id, s.user_id, s.frequency, s.ad_id from candidates s
       where exists (select from listed_ads l where l.id = s.ad_id and ${matchStored('s.resolved')})
     ), locked as (
       select a.search_id, m.ad_id, m.user_id, m.frequency from matched m join search_alerts a using (search_id)
       where (select count(*) from (select from search_matches known where known.search_id = a.search_id
         limit ${LIMITS.searchMatches}) counted) < ${LIMITS.searchMatches}
       order by a.search_id, m.ad_id for no key update of a
     ), inserted as (
       insert into search_matches (search_id, ad_id, is_told) select search_id, ad_id, frequency = 'never' from locked
       on conflict do nothing
     )
     update search_alerts a set notify_at = ${nextNotification('m.frequency', 'm.user_id')}
     from (select distinct search_id, user_id, frequency from locked where frequency <> 'never') m
     where a.search_id = m.search_id and a.notify_at is null`,
    { ids: [...ids], ...moment },
  );
};

/** Whether the conditions of these searches can be tested with these ads at all. @throws what PostgreSQL says otherwise */
export const testSearches = async (trx: Trx, searchIds: readonly string[], adIds: readonly string[]): Promise<void> => {
  await trx.raw(
    `select (select count(*) from listed_ads l where l.id = any(:adIds::bigint[]) and ${matchStored('s.resolved')})
     from saved_searches s where s.id = any(:searchIds::bigint[])`,
    { adIds: [...adIds], searchIds: [...searchIds] },
  );
};

/** The ids of at most `limit` searches after `afterId` that are not set aside. */
export const listSearchIds = async (trx: Trx, afterId: string, limit: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select s.id from saved_searches s where s.id > :afterId and not ${isSetAside('match-searches', 's.id')}
     order by s.id limit :limit`,
    { afterId, limit },
  );
  return rows.map(({ id }) => id);
};

/** What a search tells its owner: the public ads that no notification of it has mentioned. */
export interface DueSearch {
  id: string;
  user_id: string;
  name: string;
  count: number;
  /** Of the newest ads. */
  titles: string[];
  /** One of the ads. */
  ad_id: string | null;
  /** The seller, if there is only one. */
  seller_id: string | null;
}

/** Titles that a notification names. */
export const TITLES = 3;

/** Locks at most `limit` searches that have to notify by now, and reads what they tell. Skips people who are being deleted. */
export const lockDueSearches = async (trx: Trx, now: string, limit: number): Promise<DueSearch[]> => {
  const { rows: due } = await trx.raw<{ rows: { id: string }[] }>(
    `select s.id from search_alerts a join saved_searches s on s.id = a.search_id join users u on u.id = s.user_id
     where a.notify_at <= ?::timestamptz and not ${isSetAside('notify-searches', 's.id')} order by a.notify_at limit ?
     for no key update of a skip locked for key share of u skip locked`,
    [now, limit],
  );
  if (due.length === 0) return [];
  const { rows } = await trx.raw<{ rows: DueSearch[] }>(
    `select s.id, s.user_id, s.name, news.* from saved_searches s cross join lateral (
       select count(*)::int as count, coalesce((array_agg(a.title order by a.id desc))[1:${TITLES}], '{}') as titles,
         max(a.id) as ad_id, case when min(a.user_id) = max(a.user_id) then max(a.user_id) end as seller_id
       from search_matches m join ads a on a.id = m.ad_id join users u on u.id = a.user_id
       where m.search_id = s.id and not m.is_told and s.frequency <> 'never' and ${IS_PUBLIC}
         and not ${selectBlocked('s.user_id', 'a.user_id')}
     ) news where s.id = any(?::bigint[])`,
    [due.map(({ id }) => id)],
  );
  return rows;
};

/** The owners of these searches know of all matches so far. `notified`: the ids of those who were notified of some. */
export const finishNotifying = async (
  trx: Trx,
  { ids, notified, now }: { ids: readonly string[]; notified: readonly string[]; now: string },
): Promise<void> => {
  await trx.raw('update search_matches set is_told = true where search_id = any(?::bigint[]) and not is_told', [
    [...ids],
  ]);
  await trx.raw(
    `update search_alerts set notify_at = null,
       notified_at = case when search_id = any(:notified::bigint[]) then :now::timestamptz else notified_at end
     where search_id = any(:ids::bigint[])`,
    { ids: [...ids], notified: [...notified], now },
  );
};

/** After a restore: the notifications that waited are outdated, or were sent since the backup. The counts stay. */
export const skipNotifications = async (trx: Trx): Promise<void> => {
  await trx('search_matches').where({ is_told: false }).update({ is_told: true });
  await trx('search_alerts').whereNotNull('notify_at').update({ notify_at: null });
};
