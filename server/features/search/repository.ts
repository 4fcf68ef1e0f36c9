import type { Db } from '../../db/pools.ts';
import { isCutOff, queryPrepared } from '../../db/prepared.ts';
import { type ListFilter, selectListedIds } from '../ads/search/query-builder.ts';

const SAMPLE = { completions: 32, corrections: 12 };
const TITLE_WEIGHT = 5;

const CUT_OFF_MS = 1000;

async function queryUnlessSlow<Row>(...[db, sql, bindings]: Parameters<typeof queryPrepared>): Promise<Row[]> {
  try {
    return await queryPrepared<Row>(db, sql, bindings, { cutOffMs: CUT_OFF_MS });
  } catch (error) {
    if (isCutOff(error)) return [];
    throw error;
  }
}

/** Ads of a seller that are still being hidden or deleted are in the indexes, but not public. */
const SELLER_IS_SETTLED = 'ads.user_id <> all (array(select id from users where ads_pending))';

export interface Completion {
  word: string;
  stem: string;
}

/**
 * Words with this prefix in the newest matching listed ads, the most frequent first. Reads the ads themselves, because
 * search_words also contains words of hidden ads. Parses only runs of text that contain the prefix, because parsing is
 * slow. `beginning` consists of folded letters and digits.
 */
export const listCompletions = async (
  db: Db,
  filter: ListFilter & { query: string },
  beginning: string,
  limit: number,
): Promise<Completion[]> => {
  const ids = selectListedIds(filter, null, SAMPLE.completions);
  return queryUnlessSlow<Completion>(
    db,
    `with ${ids.ctes} found as materialized (${ids.sql}),
       words as (
         select word, sum(weight) as weight from ads join found on found.id = ads.id and ${SELLER_IS_SETTLED}
         cross join lateral (values (title, ${TITLE_WEIGHT}), (description, 1)) part (text, weight)
         cross join lateral (
           select string_agg(run[1], ' ') as near from regexp_matches(unaccent(text), :near, 'gi') run
         ) runs
         cross join lateral unnest(tsvector_to_array(to_tsvector('public.tradepost_words', near))) word
         where word like :pattern and word ~ '^[[:alnum:]]{2,30}$'
         group by word order by weight desc, word limit :limit
       )
     select word, (tsvector_to_array(to_tsvector('public.tradepost_stems', word)))[1] as stem from words
     where to_tsvector('public.tradepost_stems', word) <> '' order by weight desc, word`,
    { ...ids.bindings, pattern: `${beginning}%`, near: `\\S*(?<![[:alnum:]])${beginning}\\S*`, limit },
  );
};

export const listWordsInPublic = async (
  db: Db,
  filter: ListFilter & { query: string },
  words: readonly string[],
): Promise<string[]> => {
  const ids = selectListedIds(filter, null, SAMPLE.corrections);
  const rows = await queryUnlessSlow<{ word: string }>(
    db,
    `with ${ids.ctes} found as materialized (${ids.sql})
     select distinct word from ads join found on found.id = ads.id and ${SELLER_IS_SETTLED}
     cross join lateral unnest(tsvector_to_array(to_tsvector('public.tradepost_words', title || ' ' || description))) word
     where word = any(:words)`,
    { ...ids.bindings, words: [...words] },
  );
  return rows.map(({ word }) => word);
};

export interface SimilarWord {
  word: string;
  ads: number;
}

/** Low enough to find words with two transposed letters. */
const SIMILARITY = 0.2;
const CANDIDATES = 100;

/**
 * Words of search_words that resemble this one, including the word itself. They may be of hidden ads. The statement
 * sets the threshold itself, before it reads the index.
 */
export const listSimilarWords = (db: Db, word: string): Promise<SimilarWord[]> =>
  queryPrepared(
    db,
    `select word, ads from search_words
     where word % (select case when set_config('pg_trgm.similarity_threshold', :threshold, true) is not null then :word end)
     order by similarity(word, :word) desc, ads desc, word limit :limit`,
    { word, threshold: String(SIMILARITY), limit: CANDIDATES },
  );
