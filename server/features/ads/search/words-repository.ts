import type { Db, Trx } from '../../../db/pools.ts';
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
