import type { Db, Trx } from '../../../db/pools.ts';
import { isCutOff, queryPrepared } from '../../../db/prepared.ts';
import { setStatementTimeout } from '../../../db/transaction.ts';
import { type ListFilter, selectListedIds } from './query-builder.ts';

/**
 * Adds an ad's new words to the table of prefixes; a job counts their frequency. Sorted, so that two ads with the same
 * new words cannot deadlock.
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

const SAMPLE = 50_000;

/**
 * Counts the listed ads with each word. A full count removes unused words; a sample does not change words that it did
 * not find.
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

const UNUSED = { afterDays: 7, batch: 500, perRun: 20_000 };

/**
 * Deletes rare words that no listed ad has any more, or ever had: texts that nobody sees add words, too, and a sample says
 * nothing about rare ones. Looks for each in the index, up to 20,000 a run. Returns how many were deleted.
 */
export const deleteUnusedWords = async (db: Db): Promise<number> => {
  let deleted = 0;
  for (let seen = 0; seen < UNUSED.perRun; ) {
    const { rows } = await db.raw<{ rows: Completion[] }>(
      `select word, stem from search_words where ads <= 1 and added_at < now() - :days * interval '1 day'
       order by added_at limit :batch`,
      { days: UNUSED.afterDays, batch: UNUSED.batch },
    );
    const unused: string[] = [];
    for (const { word, stem } of rows) {
      const ids = selectListedIds({ query: quoteLexeme(stem) }, null, 1);
      const found = await queryPrepared(db, `with ${ids.ctes} found as (${ids.sql}) select from found`, ids.bindings);
      if (found.length === 0) unused.push(word);
    }
    const words = rows.map(({ word }) => word);
    await db('search_words').whereIn('word', unused).where('ads', '<=', 1).delete();
    await db('search_words')
      .whereIn('word', words)
      .update({ added_at: db.raw('now()') });
    deleted += unused.length;
    seen += rows.length;
    if (rows.length < UNUSED.batch) break;
  }
  return deleted;
};

const quoteLexeme = (stem: string): string => `'${stem.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

export interface SearchWords {
  all: string;
  last: string;
}

export const splitWords = (search: string): SearchWords => {
  // PostgreSQL refuses NUL, and treats other control characters as spaces
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replacing them is the point
  const blanks = search.replace(/[\u0000-\u001F\u007F]/g, ' ');
  // "cafe-racer" also finds "cafe racer": the index contains a compound and its parts
  const all = blanks.replace(/(?<=\p{L})-(?=\p{L})/gu, ' ').trim();
  return { all, last: all.split(/\s+/).at(-1) ?? '' };
};

export const canGrow = (word: string): boolean => /^[\p{L}\p{N}]{1,30}$/u.test(word);

export const foldWord = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Sorts after every continuation of a word. Prepared statements can use a range but not a LIKE pattern. */
const LAST_CHARACTER = '\u{10FFFF}';

/** How to match the last word: as a word or a prefix, as a word only, or as a prefix only, even "the" of "theater". */
export type LastWord = 'may-go-on' | 'is-whole' | 'goes-on';

/**
 * Converts a search to the text of a tsquery. Every word is required. The last word may also be a prefix, which
 * matches its 16 most frequent completions: much faster than a prefix search in GIN. Null when no word remains:
 * spaces, punctuation, words such as "the". PostgreSQL parses the words, so no input causes a syntax error.
 */
export const parseSearch = async (db: Db, search: string, lastWord: LastWord = 'may-go-on'): Promise<string | null> => {
  const { all, last } = splitWords(search);
  if (all === '') return null;
  const grows = canGrow(last) && lastWord !== 'is-whole';
  const rest = grows ? all.slice(0, -last.length) : all;
  const beginning = grows ? foldWord(last) : '';
  // thousands of words begin with one letter, so an index holds them in order of frequency
  // the subselects hide the beginning from the planner, which would otherwise plan each search separately
  const begins =
    beginning.length === 1
      ? 'left(word, 1) = (select :beginning)'
      : 'word ~>=~ (select :beginning) and word ~<~ (select :end)';
  const [row] = await queryPrepared<{ query: string | null }>(
    db,
    `with parsed as materialized (
       select plainto_tsquery('public.tradepost_stems', :rest) as rest,
         plainto_tsquery('public.tradepost_stems', :last) as last
     ), grown as (
       select string_agg(distinct '''' || replace(replace(stem, '\\', '\\\\'), '''', '''''') || '''', '|')::tsquery as query
       from (
         (select stem from search_words where ${begins} order by ads desc, word limit 16)
         union all select unnest(tsvector_to_array(to_tsvector('public.tradepost_stems', :typed)))
       ) alternatives
     )
     select (rest && case when numnode(last) > 0 or :goesOn::boolean then coalesce(query, last) else last end)::text as query
     from parsed, grown`,
    {
      rest,
      last: grows ? last : '',
      typed: grows ? last : '',
      beginning,
      end: beginning && beginning + LAST_CHARACTER,
      goesOn: String(lastWord === 'goes-on'),
    },
  );
  return row?.query || null;
};

/** The texts of details as listed_ads has them: without case and accents. */
export const foldDetails = async (db: Db, texts: readonly string[]): Promise<string[]> => {
  if (texts.length === 0) return [];
  const [row] = await queryPrepared<{ folded: string[] }>(
    db,
    'select array(select lower(unaccent(text)) from unnest(:texts::text[]) with ordinality given (text, place) order by place) as folded',
    { texts },
  );
  return row!.folded;
};

const SAMPLE_ADS = { completions: 32, corrections: 12 };
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
  const ids = selectListedIds(filter, null, SAMPLE_ADS.completions);
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
  const ids = selectListedIds(filter, null, SAMPLE_ADS.corrections);
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
