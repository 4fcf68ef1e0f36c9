import type { Trx } from '../../db/connect.ts';

/**
 * Adds an ad's words to the list that prefixes are looked up in. Known words stay as they are, their frequency is
 * counted by a job; in order, so that two ads with the same new words cannot deadlock.
 */
export const addWords = async (trx: Trx, text: string): Promise<void> => {
  await trx.raw(
    `insert into search_words (word, stem, ads)
     select word, (tsvector_to_array(to_tsvector('public.tradepost_stems', word)))[1], 1
     from unnest(tsvector_to_array(to_tsvector('public.tradepost_words', ?))) word
     where word ~ '^[[:alnum:]]{2,30}$' and to_tsvector('public.tradepost_stems', word) <> ''
     order by word
     on conflict (word) do nothing`,
    [text],
  );
};
