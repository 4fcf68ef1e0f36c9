import type { Bindings, ListFilter } from './filters.ts';
import { join } from './filters.ts';
import { MAX_ID } from './orders.ts';

/**
 * The order of searches: best match first. The terms of an ad say where its words stand, so each rank is a condition for the
 * index of words, and a page reads only the ranks that it shows. Within a rank: with photos before without, then newest.
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

/** Of a search with at most so many ads all are read at once; of others the newest buckets first. */
const FEW = 2000;
const SEVERAL = 20_000;

const countBuckets = (ads: number): number => {
  if (ads <= FEW) return 0;
  return ads <= SEVERAL ? 2 : 6;
};

interface Search {
  /** Conditions on a row `l` of listed_ads, without the words. */
  where: string;
  cursor: BestCursor | null;
  limit: number;
  buckets: number;
}

/** The ads of one rank behind the cursor, in two parts: those of the first group in the newest buckets, and the others. */
const selectRank = (rank: number, { where, cursor, limit, buckets }: Search): string[] => {
  const match = join([where, `ad_words(l.id, l.words) @@ (select :rank${rank}::tsquery)`]);
  const from = cursor?.rank === rank ? cursor : null;
  const key = (group: string) => `'${rank}.' || ${group} || '_' || found.id as key`;
  const hasNewest = buckets > 0 && (from === null || from.group === 0);
  const newest = `select ${key("'0'")} from top, generate_series(top.last, greatest(0, top.last - ${buckets - 1}), -1) bucket
    cross join lateral (
      select l.id from listed_ads l
      where ${join([match, '(l.id >> 14) = bucket', 'l.has_photos', from !== null && 'l.id + 0 < :cursorId::bigint'])}
      order by l.id + 0 desc limit ${limit}
    ) found limit ${limit}`;
  const isNewest = `l.has_photos and (l.id + 0) >> 14 > (select last from top) - ${buckets}`;
  const isBehind = `(${GROUP} > ${from?.group} or (${GROUP} = ${from?.group} and l.id + 0 < :cursorId::bigint))`;
  const others = `select ${key('found.ad_group')} from (
      select l.id, ${GROUP} as ad_group from listed_ads l
      where ${join([match, hasNewest && `not (${isNewest})`, from !== null && isBehind])}
      order by 2, l.id + 0 desc limit ${limit}
    ) found`;
  return hasNewest ? [newest, others] : [others];
};

/**
 * SQL of the keys of a page's ads, in order: rank, group and id as a cursor has them. `ctes` end with a comma.
 */
export const selectBest = (
  { ranks = [], queryAds = Number.POSITIVE_INFINITY }: ListFilter,
  where: string,
  cursor: BestCursor | null,
  limit: number,
): { ctes: string; sql: string; bindings: Bindings } => {
  const search = { where, cursor, limit, buckets: countBuckets(queryAds) };
  const shown = ranks.map((_, rank) => rank).filter((rank) => rank >= (cursor?.rank ?? 0));
  const parts = shown.flatMap((rank) => selectRank(rank, search));
  const highest = '(select coalesce(max(id), 0) from listed_ads)';
  const top = cursor ? `least(${highest}, :cursorId::bigint)` : highest;
  return {
    ctes: `top as materialized (select ${top} >> 14 as last),`,
    // PostgreSQL runs a part only if those before it have too few
    sql: `select key from (${parts.map((part) => `(${part})`).join(' union all ')}) found limit ${limit}`,
    bindings: {
      ...Object.fromEntries(shown.map((rank) => [`rank${rank}`, ranks[rank]!])),
      ...(cursor && { cursorId: cursor.id }),
    },
  };
};
