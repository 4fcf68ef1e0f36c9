import type { Db } from '../../../db/pools.ts';
import { queryPrepared } from '../../../db/prepared.ts';

/** So many words are remembered; more than people use in several languages. */
const MOST_REMEMBERED = 200_000;

/** The stems of words by PostgreSQL's dictionaries, which are asked once for each word. */
export interface Stemmer {
  /** Learns the stems of these words. */
  learn: (db: Db, words: Iterable<string>) => Promise<void>;
  /** The stems of a learnt word. */
  of: (word: string) => readonly string[];
}

const NONE: readonly string[] = [];
const HAS_ENDINGS = /^[\p{L}\p{M}]{3,}$/u;

/** @param stem of words of a language that PostgreSQL does not stem well; others stay as they are */
export const createStemmer = (dictionaries: readonly string[], stem?: (word: string) => string): Stemmer => {
  const remembered = new Map<string, readonly string[]>();
  return {
    async learn(db, words) {
      const wanted = [...new Set(words)].filter((word) => HAS_ENDINGS.test(word));
      if (dictionaries.length === 0) return;
      // again if another call, or this one, made room by forgetting some of them
      for (;;) {
        const unknown = wanted.filter((word) => !remembered.has(word));
        if (unknown.length === 0) return;
        const rows = await queryPrepared<{ word: string; stems: string[] }>(
          db,
          'select word, search_stems(array[word], :dictionaries::text[]) as stems from unnest(:unknown::text[]) word',
          { dictionaries, unknown },
        );
        if (remembered.size + rows.length > Math.max(MOST_REMEMBERED, wanted.length)) remembered.clear();
        for (const { word, stems } of rows) remembered.set(word, stems);
      }
    },
    of: (word) => {
      const stems = remembered.get(word) ?? NONE;
      const own = stem?.(word) ?? word;
      return own === word ? stems : [own, ...stems.filter((each) => each !== word)];
    },
  };
};
