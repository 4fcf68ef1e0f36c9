/**
 * `make bench-index`: lists and searches with a million ads while the job reads the words of ads again, as after an upgrade that changes the
 * rules of words. Prints a table: requests a second without and beside the job, and how many ads the job reads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../server/app-context.ts';
import { lexiconOf } from '../../server/features/ads/search/lexicon.ts';
import { startServer } from './measured-server.ts';
import { listPaths } from './reads-while-writing.ts';
import { openStage } from './stage.ts';
import { median } from './timing.ts';
import { load } from './wrk.ts';

const ADS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 3;
const SECONDS = 4;
/** More than the job reads meanwhile. */
const PENDING = 200_000;
const CONNECTIONS = 16;

const countPending = async ({ db }: AppContext, rules: string): Promise<number> => {
  const [row] = await db('ad_terms').whereNot({ rules }).count();
  return Number(row!.count);
};

interface Measured {
  perSecond: number;
  p99Ms: number;
  failed: number;
}

const stage = await openStage(() => {});
const url = await stage.openDatabase(ADS);
const app = stage.openApp(url, true);
const server = await startServer({
  DATABASE_URL: url,
  SEARCH_LANGUAGES: 'en',
  RATE_LIMIT_SCALE: '1000000',
  CACHE_DIR: `${stage.directory}/cache`,
  X_CLIENT_ID: 'bench',
  X_CLIENT_SECRET: 'bench',
});
try {
  const { rules } = lexiconOf(app);
  const categories: string[] = await app.db('categories').orderBy('position').pluck('slug');
  const words: string[] = await app.db('search_words').orderBy('ads', 'desc').limit(3000).pluck('word');
  const cases = {
    '200 lists': listPaths(200, categories),
    'searches for 3,000 words': words.map((word) => `/api/ads?search=${encodeURIComponent(word)}`),
  };
  const measure = async (): Promise<Record<string, Measured>> => {
    const results: Record<string, Measured> = {};
    for (const [name, paths] of Object.entries(cases)) {
      const runs = [];
      for (let round = 0; round < ROUNDS; round++)
        runs.push(
          await load({ url: server.url + paths[0], paths, connections: CONNECTIONS }, SECONDS, stage.directory),
        );
      results[name] = {
        perSecond: median(runs.map(({ perSecond }) => perSecond)),
        p99Ms: median(runs.map(({ p99Ms }) => p99Ms)),
        failed: runs.reduce((sum, { failed }) => sum + failed, 0),
      };
    }
    return results;
  };
  await measure();
  const alone = await measure();
  await app.db.raw(
    `update ad_terms set rules = 'bench' where ad_id in (select id from listed_ads order by id desc limit ?)`,
    [PENDING],
  );
  const before = await countPending(app, rules);
  // the job runs each minute
  while ((await countPending(app, rules)) === before) await sleep(200);
  const [pending, started] = [await countPending(app, rules), performance.now()];
  const beside = await measure();
  const read = pending - (await countPending(app, rules));
  const seconds = (performance.now() - started) / 1000;
  console.table(
    Object.fromEntries(
      Object.keys(cases).map((name) => [
        name,
        {
          'alone, a second': Math.round(alone[name]!.perSecond),
          'beside the job': Math.round(beside[name]!.perSecond),
          ratio: Math.round((beside[name]!.perSecond / alone[name]!.perSecond) * 100) / 100,
          'p99 alone, ms': alone[name]!.p99Ms,
          'p99 beside, ms': beside[name]!.p99Ms,
          failed: alone[name]!.failed + beside[name]!.failed,
        },
      ]),
    ),
  );
  console.log(`The job read ${read} ads in ${Math.round(seconds)} s.`);
} finally {
  await server.stop();
  await app.close();
  await stage.stop();
}
