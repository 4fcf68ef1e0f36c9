import type { Bindings, ListFilter } from './filters.ts';
import { join } from './filters.ts';
import { MAX_ID } from './orders.ts';

/**
 * The order of searches: best match first. The terms of an ad say where its words stand, so each rank is a condition for the
 * index of words, and a page reads only the ranks that it shows. Within a rank: with photos before without, then newest.
 * If few ads match, and their ids are known, each is read and its rank decided, without the index.
 */

/** Where a page begins: behind this ad. */
export interface BestCursor {
  /** Index in `ranks`. */
  rank: number;
  /** 1 without photos. */
  group: number;
  id: string;
}

const CURSOR = /^(?<rank>[0-5])\.(?<group>[01])_(?<id>[1-9]\d{0,18})$/;

/** A cursor of this order; any other value starts at the first page. */
export const parseBestCursor = (cursor: string | undefined): BestCursor | null => {
  const { rank, group, id } = CURSOR.exec(cursor ?? '')?.groups ?? {};
  return id !== undefined && BigInt(id) <= BigInt(MAX_ID) ? { rank: Number(rank), group: Number(group), id } : null;
};

const GROUP = '(not l.has_photos)::int';

/**
 * Of a search with at most so many ads all are read at once. Of others the two newest buckets first: if these do not fill the page, not many
 * ads are of the rank.
 */
const FEW = 1000;
const BUCKETS = 2;

interface Search {
  /** Conditions on a row `l` of listed_ads, without the words. */
  where: string;
  cursor: BestCursor | null;
  limit: number;
}

/** CTE of one rank: its ads on the page. */
const nameRank = (rank: number): string => `rank${rank}`;

/** CTE of the ids of a rank and of those before it on the page, as one array. */
const nameSeen = (rank: number): string => `seen${rank}`;

/**
 * The ads of one rank behind the cursor, in two parts: those of the first group in the newest buckets, and the others.
 * `before`: the rank before it on the page, if it is not the first. Those ranks found all that they have if they left room, so only those of the pages before
 * are excluded by the index.
 */
const selectRank = (
  rank: number,
  before: number | undefined,
  isOpen: string,
  { where, cursor, limit }: Search,
): string => {
  const begun = cursor ? Math.min(rank, cursor.rank + 1) : 0;
  const gone = Array.from({ length: begun }, (_, i) => ` && !!:rank${i}::tsquery`).join('');
  const match = join([where, `ad_words(l.id, l.words) @@ (select :rank${rank}::tsquery${gone})`]);
  const isNew = before !== undefined && `l.id + 0 <> all ((select ids from ${nameSeen(before)})::bigint[])`;
  const from = cursor?.rank === rank ? cursor : null;
  const hasNewest = from === null || from.group === 0;
  const start = from ? 'top.begun' : 'top.last';
  const newest = `select 0 as ad_group, found.id
    from top, generate_series(${start}, greatest(0, ${start} - top.buckets + 1), -1) bucket
    cross join lateral (
      select l.id from listed_ads l
      where ${join([match, '(l.id >> 14) = bucket', 'l.has_photos', isNew, from !== null && 'l.id + 0 < :cursorId::bigint'])}
      order by l.id + 0 desc limit ${limit}
    ) found where ${isOpen} limit ${limit}`;
  const isNewest = `l.has_photos and (l.id + 0) >> 14 > ${start} - top.buckets`;
  const isBehind = `(${GROUP} > ${from?.group} or (${GROUP} = ${from?.group} and l.id + 0 < :cursorId::bigint))`;
  // what depends on `top` is not divided among parallel workers: starting them takes longer than the search
  const others = `select found.* from top cross join lateral (
      select ${GROUP} as ad_group, l.id from listed_ads l
      where ${join([match, `not (${hasNewest ? isNewest : 'top.last < 0'})`, isNew, from !== null && isBehind])}
      order by 1, l.id + 0 desc limit ${limit}
    ) found where ${isOpen}`;
  const parts = hasNewest ? `(${newest}) union all (${others})` : others;
  const seen = before === undefined ? '' : `(select ids from ${nameSeen(before)}) || `;
  return `${nameRank(rank)} as materialized (select * from (${parts}) found limit ${limit}),
    ${nameSeen(rank)} as materialized (select ${seen}array(select id from ${nameRank(rank)}) as ids)`;
};

/** So many ads are read and ranked faster than the index finds those of each rank: more if each search for a rank compares several lists. */
const RANKED_AT_ONCE = { oneWord: 250, more: 500 };

/** The same page from `few`, which has all ads that match (query-builder.ts). */
const rankFew = (ranks: readonly string[], limit: number): string =>
  `select rank, ad_group, id from (
      select case ${ranks.map((_, rank) => `when terms @@ (select :rank${rank}::tsquery) then ${rank}`).join(' ')} end as rank,
        ${GROUP} as ad_group, l.id
      from few l cross join lateral (
        select coalesce((select terms from ad_terms where ad_id = l.id), (select tsv from ads where ads.id = l.id)) as terms offset 0
      ) found where (select is_few from ranked)
    ) found where rank is not null order by rank, ad_group, id desc limit ${limit}`;

/**
 * SQL of the keys of a page's ads, in order: rank, group and id as a cursor has them. `ctes` end with a comma. `hasFew`: CTEs `few`,
 * `whole` and `rarest` come before.
 */
export const selectBest = (
  { ranks = [], queryAds = Number.POSITIVE_INFINITY }: ListFilter,
  where: string,
  {
    cursor,
    limit,
    hasFew,
    isOneWord,
  }: { cursor: BestCursor | null; limit: number; hasFew: boolean; isOneWord: boolean },
): { ctes: string; sql: string; bindings: Bindings } => {
  const search = { where, cursor, limit };
  const shown = ranks.map((_, rank) => rank).filter((rank) => rank >= (cursor?.rank ?? 0));
  const isFewExpected = hasFew ? `(select coalesce(expected <= ${FEW}, false) from rarest)` : `${queryAds <= FEW}`;
  const hasRoom = (before: number | undefined) =>
    before !== undefined && `(select cardinality(ids) < ${limit} from ${nameSeen(before)})`;
  const ctes = shown.map((rank, i) => {
    const before = shown[i - 1];
    return selectRank(rank, before, join([hasFew && 'not (select is_few from ranked)', hasRoom(before)]), search);
  });
  const ranked = `ranked as materialized (select is_so and matches <= ${isOneWord ? RANKED_AT_ONCE.oneWord : RANKED_AT_ONCE.more} as is_few from whole),`;
  const parts = [
    ...(hasFew ? [`(${rankFew(ranks, limit)})`] : []),
    ...shown.map((rank) => `select ${rank}, ad_group, id from ${nameRank(rank)}`),
  ];
  return {
    ctes: `top as materialized (
        select last, ${cursor ? 'least(last, :cursorId::bigint >> 14)' : 'last'} as begun, case when ${isFewExpected} then 0 else ${BUCKETS} end as buckets
        from (select coalesce(max(id), 0) >> 14 as last from listed_ads) highest
      ), ${hasFew ? ranked : ''} ${ctes.join(', ')},`,
    sql: `select rank || '.' || ad_group || '_' || id from (${parts.join(' union all ')}) found (rank, ad_group, id) limit ${limit}`,
    bindings: {
      ...Object.fromEntries(ranks.map((rank, i) => [`rank${i}`, rank])),
      ...(cursor && { cursorId: cursor.id }),
    },
  };
};
