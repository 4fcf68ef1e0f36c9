import type { Db, Trx } from '../../../db/pools.ts';
import { isCutOff, queryPrepared } from '../../../db/prepared.ts';
import { setStatementTimeout } from '../../../db/transaction.ts';
import { type ListFilter, selectListedIds } from './query-builder.ts';
import type { Stemmer } from './stems-repository.ts';
import type { KnownWord } from './words/compose.ts';

/** SQL: the English stem of a word; empty for one that finds too much, such as "the". */
const stemOf = (word: string): string => `coalesce((ts_lexize('english_stem', ${word}))[1], '')`;

const TYPED = /^(?=.{2,30}$)[\p{L}\p{M}\p{N}]+(?:\.[\p{L}\p{M}\p{N}]+)*$/u;

/**
 * Adds new words of ads to the table of words; a job counts their frequency. Sorted, so that two ads with the same new
 * words cannot deadlock.
 */
export const addWords = async (trx: Trx, words: readonly string[]): Promise<void> => {
  await trx.raw(
    `insert into search_words (word, stem, ads)
     select distinct word, ${stemOf('word')}, 1 from unnest(?::text[]) word order by word
     on conflict (word) do nothing`,
    [words.filter((word) => TYPED.test(word))],
  );
};

const SAMPLE = 50_000;

/**
 * Counts the listed ads with each known word. A full count removes unused words, unless ads wait to be read anew; a sample
 * does not change words that it did not find.
 */
export const countWords = (db: Db): Promise<void> =>
  db.transaction(async (trx) => {
    await setStatementTimeout(trx, 15 * 60_000);
    const { rows } = await trx.raw<{ rows: { ads: string }[] }>(
      "select greatest(reltuples, 0)::bigint as ads from pg_class where oid = 'listed_ads'::regclass",
    );
    const share = Math.min(1, SAMPLE / Math.max(1, Number(rows[0]?.ads)));
    const sample = share < 1 ? `tablesample system (${(share * 100).toFixed(4)})` : '';
    await trx.raw(
      `with counted as materialized (
         select word, ceil(ndoc / ?::float)::int as ads
         from ts_stat($q$ select ad_words(id, words) from listed_ads ${sample} $q$)
       ), gone as (
         delete from search_words s
         where ${share < 1 ? 'false' : 'true'} and not exists (select from counted c where c.word = s.word)
           and not exists (select from ad_terms where rules = '')
       )
       update search_words s set ads = c.ads from counted c where c.word = s.word and c.ads <> s.ads`,
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
    const { rows } = await db.raw<{ rows: { word: string; stem: string }[] }>(
      `select word, stem from search_words where ads <= 1 and added_at < now() - :days * interval '1 day'
       order by added_at limit :batch`,
      { days: UNUSED.afterDays, batch: UNUSED.batch },
    );
    const unused: string[] = [];
    for (const { word, stem } of rows) {
      // an ad that waits to be read anew has the stem only
      const query = [word, stem].filter(Boolean).map(quoteLexeme).join(' | ');
      const ids = selectListedIds({ query, queryAds: 1 }, null, 1);
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

export const quoteLexeme = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Sorts after every continuation of a word. Prepared statements can use a range but not a LIKE pattern. */
const LAST_CHARACTER = '\u{10FFFF}';

const MOST = { completions: 16, compounds: 32 };

/** What to look up. */
export interface Questions {
  words: readonly string[];
  /** Words of which compounds may end. */
  ends: readonly string[];
  /** What longer words may begin with; empty for none. */
  beginning: string;
}

export interface Answers {
  words: Map<string, KnownWord>;
  /** Words that stand alone in an ad, not only their stems. */
  known: Set<string>;
  completions: string[];
  compounds: Map<string, string[]>;
}

type Answer = {
  kind: 'word' | 'completion' | 'compound';
  asked: string;
  word: string;
  ads: number;
  alone: number;
};

/**
 * What the table of words knows, in one statement: stems and frequency of words, the most frequent words that begin with
 * `beginning`, and those that end with one of `ends`.
 */
export const lookUpWords = async (
  db: Db,
  { words, ends, beginning }: Questions,
  stemmer: Stemmer,
): Promise<Answers> => {
  await stemmer.learn(db, words);
  // thousands of words begin with one letter, so an index holds them in order of frequency
  // the subselects hide the beginning from the planner, which would otherwise plan each search separately
  const begins =
    [...beginning].length === 1
      ? 'left(word, 1) = (select :beginning)'
      : 'word ~>~ (select :beginning) and word ~<~ (select :end)';
  const completions = `select 'completion', '', word, ads, ads from (
      select word, ads from search_words where ${begins} and stem <> '' order by ads desc, word limit ${MOST.completions}
    ) completion`;
  const compounds = `select 'compound', asked, word, ads, ads from unnest(:ends::text[]) asked cross join lateral (
      select word, ads from search_words
      where reverse(word) ~>~ reverse(asked) and reverse(word) ~<~ (reverse(asked) || :last)
        and length(word) >= length(asked) + 3
      order by ads desc, word limit ${MOST.compounds}
    ) compound`;
  const rows = await queryPrepared<Answer>(
    db,
    `select 'word' as kind, asked, asked as word, coalesce(greatest(known.ads, same.ads), 0)::int as ads,
       coalesce(known.ads, 0) as alone
     from unnest(:words::text[], :stems::text[]) given (asked, stem)
     left join search_words known on known.word = asked
     left join lateral (select sum(ads) as ads from search_words where search_words.stem = given.stem) same on true
     ${ends.length > 0 ? `union all ${compounds}` : ''}
     ${beginning === '' ? '' : `union all ${completions}`}`,
    {
      words,
      stems: words.map((word) => stemmer.of(word)[0] ?? word),
      ...(ends.length > 0 && { ends, last: LAST_CHARACTER }),
      ...(beginning !== '' && { beginning, ...([...beginning].length > 1 && { end: beginning + LAST_CHARACTER }) }),
    },
  );
  const answers: Answers = { words: new Map(), known: new Set(), completions: [], compounds: new Map() };
  for (const { kind, asked, word, ads, alone } of rows) {
    if (kind === 'completion') answers.completions.push(word);
    if (kind === 'compound') answers.compounds.set(asked, [...(answers.compounds.get(asked) ?? []), word]);
    if (kind === 'word') {
      answers.words.set(word, { stems: stemmer.of(word), ads });
      if (alone > 0) answers.known.add(word);
    } else answers.words.set(word, { stems: [], ads });
  }
  return answers;
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

export interface AdText {
  title: string;
  description: string;
}

/**
 * The texts of the newest public ads that match. search_words also contains words of hidden ads, so what is suggested is
 * read from here. None if that takes long.
 */
export const listTexts = async (db: Db, filter: ListFilter & { query: string }, limit: number): Promise<AdText[]> => {
  const ids = selectListedIds(filter, null, limit);
  return queryUnlessSlow<AdText>(
    db,
    `with ${ids.ctes} found as materialized (${ids.sql})
     select title, description from ads join found on found.id = ads.id and ${SELLER_IS_SETTLED}`,
    ids.bindings,
  );
};

export interface CategoryCount {
  category: string;
  categorySlug: string;
  count: number;
}

/** How many of the newest `sample` ads that match are in each category; the `limit` largest. None if that takes long. */
export const countByCategory = async (
  db: Db,
  filter: ListFilter & { query: string },
  sample: number,
  limit: number,
): Promise<CategoryCount[]> => {
  const ids = selectListedIds(filter, null, sample);
  return queryUnlessSlow<CategoryCount>(
    db,
    `with ${ids.ctes} found as materialized (${ids.sql})
     select c.name as category, c.slug as "categorySlug", count(*)::int as count
     from found join listed_ads l using (id) join categories c on c.id = l.category_id
     where not c.is_disabled group by c.id order by count(*) desc, c.position limit ${limit}`,
    ids.bindings,
  );
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
