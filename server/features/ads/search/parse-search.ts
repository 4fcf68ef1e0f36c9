import type { Db } from '../../../db/pools.ts';
import { queryPrepared } from '../../../db/prepared.ts';

/** What a person typed, as words: the last one is perhaps not finished. */
export interface SearchWords {
  all: string;
  last: string;
}

export const splitWords = (search: string): SearchWords => {
  // Postgres knows no NUL; other controls are blanks to it anyway
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replacing them is the point
  const blanks = search.replace(/[\u0000-\u001F\u007F]/g, ' ');
  // "cafe-racer" finds "cafe racer" too: the index holds a compound's parts as well as the compound
  const all = blanks.replace(/(?<=\p{L})-(?=\p{L})/gu, ' ').trim();
  return { all, last: all.split(/\s+/).at(-1) ?? '' };
};

/** A word that can grow: letters and digits only, so that it needs no escaping in LIKE. */
export const canGrow = (word: string): boolean => /^[\p{L}\p{N}]{1,30}$/u.test(word);

/** As the word list writes words. */
export const foldWord = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Comes after whatever a word goes on with: a range can be prepared, a pattern of LIKE must be known when planning. */
const LAST_CHARACTER = '\u{10FFFF}';

/** What is typed last: a word or its beginning, a word for certain, or the beginning of one, be it "the" of "theater". */
export type LastWord = 'may-go-on' | 'is-whole' | 'goes-on';

/**
 * Turns a search into a tsquery as text: every word must occur, the last one also as the beginning of one of its 16
 * most frequent whole words (a prefix inside GIN cost 150 ms, this 2.5 ms: docs/PERFORMANCE.md). Null when nothing is
 * left to look for: blanks, punctuation, words such as "the". Postgres parses the words, so no input is a syntax error.
 */
export const parseSearch = async (db: Db, search: string, lastWord: LastWord = 'may-go-on'): Promise<string | null> => {
  const { all, last } = splitWords(search);
  if (all === '') return null;
  const grows = canGrow(last) && lastWord !== 'is-whole';
  const rest = grows ? all.slice(0, -last.length) : all;
  const beginning = grows ? foldWord(last) : '';
  // with one letter begin thousands of words: these are kept in order of frequency
  const begins = beginning.length === 1 ? 'left(word, 1) = :beginning' : 'word ~>=~ :beginning and word ~<~ :end';
  const [row] = await queryPrepared<{ query: string | null }>(
    db,
    `with parsed as materialized (
       select plainto_tsquery('public.tradepost_stems', :rest) as rest,
         plainto_tsquery('public.tradepost_stems', :last) as last
     ), grown as (
       select string_agg(distinct '''' || replace(replace(stem, '\\', '\\\\'), '''', '''''') || '''', '|')::tsquery as query
       from (
         select stem from search_words where ${begins} order by ads desc, word limit 16
       ) most_frequent
     )
     select (rest && case when numnode(last) > 0 or :goesOn::boolean then last || coalesce(query, last) else last end)::text as query
     from parsed, grown`,
    {
      rest,
      last: grows ? last : '',
      beginning,
      end: beginning && beginning + LAST_CHARACTER,
      goesOn: String(lastWord === 'goes-on'),
    },
  );
  return row?.query || null;
};
