import { LIMITS } from '../../../contract/limits.ts';
import type { SearchFrequency } from '../../../contract/saved-searches.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { ListFilter } from '../ads/search/query-builder.ts';

export interface SavedSearchRow {
  id: string;
  user_id: string;
  name: string;
  frequency: SearchFrequency;
  /** The query of the list. Its category is stored by id; replicas of the previous release also store what was given. */
  filters: Record<string, string>;
  created_at: string;
  new_count: number;
}

/**
 * Ads that their owner or a ban has hidden since are no longer new. A search that its owner never opens collects many: like
 * the totals of lists, counting stops.
 */
const NEW_COUNT = `(select count(*)::int from (
    select from search_matches m join ads a on a.id = m.ad_id and a.listed
    where m.search_id = s.id limit ${LIMITS.countCap}
  ) fresh)`;

/** SQL: the filters of the search `s` of the category `c`. */
export const SEARCH_FILTERS = "s.filters || jsonb_strip_nulls(jsonb_build_object('category', c.slug))";

const SELECT = `select s.id, s.user_id, s.name, s.frequency, ${SEARCH_FILTERS} as filters, s.created_at, ${NEW_COUNT} as new_count
  from saved_searches s left join categories c on c.id = s.category_id`;

export const listSavedSearches = async (db: Db, userId: string): Promise<SavedSearchRow[]> =>
  (await db.raw<{ rows: SavedSearchRow[] }>(`${SELECT} where s.user_id = ? order by s.id desc`, [userId])).rows;

/** Another user's search is not found. */
export const findSavedSearch = async (db: Db, userId: string, id: string): Promise<SavedSearchRow | undefined> =>
  (await db.raw<{ rows: SavedSearchRow[] }>(`${SELECT} where s.user_id = ? and s.id = ?`, [userId, id])).rows[0];

/** Locks the search and returns it; the matching job then waits. Undefined if it is another user's. */
export const lockSavedSearch = async (trx: Trx, userId: string, id: string): Promise<SavedSearchRow | undefined> => {
  const owned = trx('saved_searches').where({ id, user_id: userId }).select('id');
  await trx('search_alerts').whereIn('search_id', owned).forNoKeyUpdate().first('search_id');
  return findSavedSearch(trx, userId, id);
};

/** Stems by which ads are looked up: an ad without any of them does not match the search. */
export type KeyWords = readonly string[];

/** Of several required parts of a search, each a list of stems, the one that the fewest listed ads have. */
export const findRarest = async (db: Db, parts: readonly KeyWords[]): Promise<KeyWords | undefined> => {
  const { rows } = await db.raw<{ rows: { part: number }[] }>(
    `select part from (
       select (ordinality - 1)::int as part, (
         select coalesce(sum(ads), 0) from search_words
         where word in (select jsonb_array_elements_text(words)) or stem in (select jsonb_array_elements_text(words))
       ) as ads
       from jsonb_array_elements(?::jsonb) with ordinality as parts (words, ordinality)
     ) counted order by ads, part limit 1`,
    [JSON.stringify(parts)],
  );
  return rows[0] && parts[rows[0].part];
};

export interface NewSavedSearch {
  userId: string;
  name: string;
  frequency: SearchFrequency;
  filters: Record<string, string>;
  /** What the query builder makes of the filters. */
  resolved: ListFilter;
  /** Null for a search without words. */
  keyWords: KeyWords | null;
}

/** Returns the id, or undefined if the user has LIMITS.savedSearches. The user must be locked for update. */
export const insertSavedSearch = async (
  trx: Trx,
  { userId, name, frequency, filters: { category: _, ...filters }, resolved, keyWords }: NewSavedSearch,
): Promise<string | undefined> => {
  const { categoryId = null, ...rest } = resolved;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with added as (insert into saved_searches (user_id, slot, name, frequency, category_id, filters, resolved, key_words)
     select :userId, slot, :name, :frequency, :categoryId::smallint, :filters::jsonb, jsonb_strip_nulls(:resolved::jsonb),
       :keyWords::text[]
     from generate_series(1, ${LIMITS.savedSearches}) slot
     where not exists (select from saved_searches where user_id = :userId and saved_searches.slot = slot.slot)
     order by slot limit 1 returning id)
     insert into search_alerts (search_id) select id from added returning search_id as id`,
    {
      userId,
      name,
      frequency,
      categoryId,
      filters: JSON.stringify(filters),
      resolved: JSON.stringify(rest),
      keyWords: keyWords === null ? null : [...keyWords],
    } as never,
  );
  return rows[0]?.id;
};

/** A moment, and the time zone of the site: that of everybody whose own is not known. */
export interface Moment {
  /** ISO 8601. */
  now: string;
  timeZone: string;
}

/**
 * SQL: when the search of the alert `a` notifies its owner `userId` next, by its frequency. Instantly, but not within ten
 * minutes of the last notification; or at eight in the owner's morning, on another day than the last. Bind a Moment.
 */
export const nextNotification = (frequency: string, userId: string): string => {
  const at = '(:now::timestamptz at time zone zone)';
  const day = `greatest(${at}::date + (${at}::time >= '08:00')::int, (a.notified_at at time zone zone)::date + 1)`;
  return `case ${frequency}
    when 'instantly' then greatest(:now::timestamptz, a.notified_at + interval '10 minutes')
    when 'daily' then (
      select (${day} + time '08:00') at time zone zone
      from users u cross join known_time_zone(u.time_zone, :timeZone::text) zone where u.id = ${userId}
    ) end`;
};

/** Renames the search, or sets how often it notifies: a waiting notification moves, or with `never` is dropped. */
export const updateSavedSearch = async (
  trx: Trx,
  id: string,
  { name, frequency }: Pick<SavedSearchRow, 'name' | 'frequency'>,
  moment: Moment,
): Promise<void> => {
  await trx.raw(
    `with changed as (update search_alerts a set notify_at = ${nextNotification(':frequency::text', 's.user_id')}
       from saved_searches s where s.id = :id and a.search_id = s.id and a.notify_at is not null and s.frequency <> :frequency)
     update saved_searches set name = :name, frequency = :frequency where id = :id`,
    { id, name, frequency, ...moment },
  );
  if (frequency === 'never') await trx('search_matches').where({ search_id: id }).update({ is_told: true });
};

/** Deletes the search with its matches. */
export const deleteSavedSearch = async (trx: Trx, id: string): Promise<void> => {
  await trx('saved_searches').where({ id }).delete();
};

/** Forgets the matches so far: they are not new any more, and no notification mentions them. */
export const deleteMatches = async (trx: Trx, searchId: string): Promise<void> => {
  await trx('search_matches').where({ search_id: searchId }).delete();
  await trx('search_alerts').where({ search_id: searchId }).update({ notify_at: null });
};
