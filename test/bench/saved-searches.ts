import { createRandom } from '../../seeds/demo/random.ts';
import type { AppContext } from '../../server/app-context.ts';
import { recordMatches } from '../../server/features/saved-searches/matches-repository.ts';
import { readCpuSeconds } from './cpu.ts';
import { type Timing, time, WARM_UPS } from './timing.ts';

export interface MatchResults extends Timing {
  searches: number;
  /** CPU time of PostgreSQL for an ad, on average. */
  cpuMs: number;
  /** Matches of an ad, on average. */
  matches: number;
}

const SEARCHES = 100_000;
const PEOPLE = SEARCHES / 10;
const BATCH = 5000;

interface Word {
  word: string;
  stem: string;
  ads: number;
}

/** Lists of stems, each of one word of a search: any of a list must occur. */
type Parts = { stems: string[]; ads: number }[];

/** The words of a title as a search: its rarest, or in every fourth search its second rarest, and up to two others. */
const createWordPicker = (words: readonly Word[], random: () => number) => {
  const known = new Map(words.map((word) => [word.word, word]));
  const completions = new Map<string, Word[]>();
  const complete = (beginning: string): Word[] => {
    const found = completions.get(beginning) ?? words.filter(({ word }) => word.startsWith(beginning)).slice(0, 16);
    completions.set(beginning, found);
    return found;
  };
  return (title: string): Parts => {
    const ranked = [...new Set(title.toLowerCase().split(/[^a-z]+/))]
      .flatMap((word) => known.get(word) ?? [])
      .sort((one, other) => one.ads - other.ads);
    const first = random() < 0.25 ? 1 : 0;
    const chosen = ranked.slice(first, first + 1 + Math.floor(random() * 3));
    // every second search of one word is unfinished, and stands for up to sixteen words
    const isUnfinished = chosen.length === 1 && random() < 0.5;
    return chosen.map((word) => {
      const alternatives = isUnfinished ? [word, ...complete(word.word.slice(0, -1))] : [word];
      return {
        // a word such as "we" has no stem
        stems: [...new Set(alternatives.map(({ word, stem }) => stem || word))],
        ads: alternatives.reduce((sum, { ads }) => sum + ads, 0),
      };
    });
  };
};

const toQuery = (parts: Parts): string =>
  parts
    .map(({ stems }) => stems.map((stem) => `'${stem}'`).join(' | '))
    .map((part) => (part.includes('|') ? `( ${part} )` : part))
    .join(' & ');

/**
 * Saves searches as buyers might: nine of ten with words of the title of an ad. Half of these, and all of the others, name
 * its category; half of these, and all of the others, a price range around its price.
 */
async function fillSavedSearches({ db }: AppContext): Promise<void> {
  const random = createRandom(20);
  await db.raw('truncate saved_searches cascade');
  await db.raw(
    `insert into users (username, display_name)
     select 'searcher_' || n, 'Searcher' from generate_series(1, ?::int) n on conflict do nothing`,
    [PEOPLE],
  );
  const people: string[] = await db('users').whereLike('username', 'searcher\\_%').pluck('id');
  const samples: { title: string; category_id: number; price: string }[] = await db('ads')
    .where({ listed: true })
    .orderByRaw('hashint8(id)')
    .limit(SEARCHES)
    .select('title', 'category_id', 'price');
  const words: Word[] = await db('search_words').orderBy('ads', 'desc').select('word', 'stem', 'ads');
  const pickWords = createWordPicker(words, random);
  const frequencies = ['instantly', 'daily', 'never'];
  const create = (n: number) => {
    const { title, category_id, price } = samples[n % samples.length]!;
    const parts = random() < 0.9 ? pickWords(title) : [];
    const hasWords = parts.length > 0;
    const range = { minPrice: (Number(price) * 0.7).toFixed(2), maxPrice: (Number(price) * 1.3).toFixed(2) };
    const rarest = parts.toSorted((one, other) => one.ads - other.ads)[0];
    return {
      user_id: people[n % PEOPLE],
      slot: 1 + Math.floor(n / PEOPLE),
      name: 'Search',
      frequency: frequencies[n % 3],
      category_id: hasWords && random() < 0.5 ? null : category_id,
      filters: { search: title },
      resolved: { ...(hasWords && { query: toQuery(parts) }), ...((!hasWords || random() < 0.5) && range) },
      key_words: rarest?.stems ?? null,
      created_at: '2020-01-01',
    };
  };
  for (let n = 0; n < SEARCHES; n += BATCH)
    await db.raw(
      `insert into saved_searches
         (user_id, slot, name, frequency, category_id, filters, resolved, key_words, created_at)
       select user_id, slot, name, frequency, category_id, filters, resolved, key_words, created_at
       from json_populate_recordset(null::saved_searches, ?)`,
      [JSON.stringify(Array.from({ length: BATCH }, (_, i) => create(n + i)))],
    );
  await db.raw('insert into search_alerts (search_id) select id from saved_searches');
  await db.raw('vacuum analyze saved_searches, search_alerts, search_matches');
}

/** Matches ads, one at a time, to 100,000 saved searches. */
export async function measureMatches(app: AppContext, runs: number): Promise<MatchResults> {
  const { db } = app;
  await fillSavedSearches(app);
  const ids: string[] = await db('ads')
    .where({ listed: true })
    .orderByRaw('hashint8(id + 1)')
    .limit(runs + WARM_UPS)
    .pluck('id');
  await db.raw('insert into ad_publications (ad_id) select unnest(?::bigint[]) on conflict do nothing', [ids]);
  const moment = { now: new Date().toISOString(), timeZone: 'UTC' };
  // one connection, whose process shows the CPU time
  const connection = await db.transaction();
  try {
    const { rows } = await connection.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
    const { pid } = rows[0]!;
    let cpu = 0;
    const timing = await time(runs, async (run) => {
      if (run === 0) cpu = readCpuSeconds(pid);
      await recordMatches(connection, [ids.at(run)!], moment);
    });
    const cpuMs = ((readCpuSeconds(pid) - cpu) / runs) * 1000;
    const matches = Number((await connection('search_matches').count())[0]!.count) / ids.length;
    return { ...timing, cpuMs, searches: SEARCHES, matches };
  } finally {
    await connection.rollback();
  }
}
