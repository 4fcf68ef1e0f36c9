import type { Db, Trx } from '../../../db/pools.ts';
import { queryPrepared } from '../../../db/prepared.ts';
import { setStatementTimeout } from '../../../db/transaction.ts';

/**
 * Adds an ad's new words to the table in which prefixes are looked up. A job counts their frequency. In order, so that two
 * ads with the same new words cannot deadlock.
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

/** A count reads this many ads at most: of more, a random sample. */
const SAMPLE = 50_000;

/**
 * Counts in how many listed ads each word occurs. A full count removes the words that no ad has; a sample leaves words that
 * it did not meet unchanged.
 */
export const countWords = (db: Db): Promise<void> =>
  db.transaction(async (trx) => {
    await setStatementTimeout(trx, 15 * 60_000);
    const { rows } = await trx.raw<{ rows: { ads: string }[] }>(
      "select greatest(reltuples, 0)::bigint as ads from pg_class where oid = 'ads'::regclass",
    );
    const share = Math.min(1, SAMPLE / Math.max(1, Number(rows[0]?.ads)));
    const sample = share < 1 ? `tablesample system (${(share * 100).toFixed(4)})` : '';
    await trx.raw(
      `with counted as materialized (
         select word, ceil(ndoc / ?::float)::int as ads from ts_stat($q$
           select to_tsvector('public.tradepost_words', title || ' ' || description) from ads ${sample} where listed $q$)
         where word ~ '^[[:alnum:]]{2,30}$'
       ), stemmed as (
         select word, (tsvector_to_array(to_tsvector('public.tradepost_stems', word)))[1] as stem, ads from counted
       ), gone as (
         delete from search_words s where ${share < 1 ? 'false' : 'true'}
           and not exists (select from counted c where c.word = s.word)
       )
       insert into search_words (word, stem, ads) select word, stem, ads from stemmed where stem is not null order by word
       on conflict (word) do update set ads = excluded.ads, stem = excluded.stem`,
      [share],
    );
    // without statistics, the planner reads the whole table for every misspelt word
    await trx.raw('analyze search_words');
  });

/** A search as words, of which the last may be unfinished. */
export interface SearchWords {
  all: string;
  last: string;
}

export const splitWords = (search: string): SearchWords => {
  // PostgreSQL refuses NUL, and treats other control characters as spaces
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replacing them is the point
  const blanks = search.replace(/[\u0000-\u001F\u007F]/g, ' ');
  // "cafe-racer" finds "cafe racer" too: the index has the parts of a compound as well as the compound
  const all = blanks.replace(/(?<=\p{L})-(?=\p{L})/gu, ' ').trim();
  return { all, last: all.split(/\s+/).at(-1) ?? '' };
};

/** Whether a word may be a prefix: letters and digits only, so that LIKE needs no escaping. */
export const canGrow = (word: string): boolean => /^[\p{L}\p{N}]{1,30}$/u.test(word);

/** A word as search_words has it: lower case, without accents. */
export const foldWord = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Sorts after every continuation of a word. A range works in a prepared statement, a LIKE pattern does not. */
const LAST_CHARACTER = '\u{10FFFF}';

/** How the last word is taken: as a word or a prefix, as a word only, or as a prefix only, even "the" of "theater". */
export type LastWord = 'may-go-on' | 'is-whole' | 'goes-on';

/**
 * Turns a search into a tsquery as text. Every word must occur; the last one may also be a prefix and then stands for its 16
 * most frequent whole words, which is much faster than a prefix search in GIN. Null when no word is left: blanks,
 * punctuation, words such as "the". PostgreSQL parses the words, so that no input is a syntax error.
 */
export const parseSearch = async (db: Db, search: string, lastWord: LastWord = 'may-go-on'): Promise<string | null> => {
  const { all, last } = splitWords(search);
  if (all === '') return null;
  const grows = canGrow(last) && lastWord !== 'is-whole';
  const rest = grows ? all.slice(0, -last.length) : all;
  const beginning = grows ? foldWord(last) : '';
  // thousands of words begin with one letter: an index has them in order of frequency
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
