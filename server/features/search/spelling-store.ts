import type { Db } from '../../db/connect.ts';
import { queryPrepared } from '../../db/prepared.ts';

export interface KnownWord {
  word: string;
  /** About how many listed ads have it. */
  ads: number;
}

/** Low enough that two letters in the wrong order still look alike. */
const SIMILARITY = 0.2;
const CANDIDATES = 100;

/**
 * Words of the word list that look like this one, the word itself among them. Not all of them are of public ads. The
 * threshold is set within the statement, before the index is asked.
 */
export const listSimilarWords = (db: Db, word: string): Promise<KnownWord[]> =>
  queryPrepared(
    db,
    `select word, ads from search_words
     where word % (select case when set_config('pg_trgm.similarity_threshold', :threshold, true) is not null then :word end)
     order by similarity(word, :word) desc, ads desc, word limit :limit`,
    { word, threshold: String(SIMILARITY), limit: CANDIDATES },
  );
