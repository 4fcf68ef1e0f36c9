/**
 * `make bench-imports-beside`: lists, searches and ads while a job of the server makes ads of a file of ten thousand rows without
 * photos, and again while it changes all of them. Prints a table: requests a second before and after the imports, and beside them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../contract/limits.ts';
import { findImport } from '../../server/features/imports/repository.ts';
import { previewImport, startImport } from '../../server/features/imports/service.ts';
import type { UserActor } from '../../server/policy.ts';
import { insertUser } from '../harness/factories.ts';
import { inPieces, toImportFile } from './import-file.ts';
import { startServer } from './measured-server.ts';
import { listPaths } from './reads-while-writing.ts';
import { openStage } from './stage.ts';
import { median } from './timing.ts';
import { type LoadResult, load } from './wrk.ts';

const ADS = Number(process.argv[2] ?? 10_000);
const SECONDS = 3;
const CONNECTIONS = 16;
const RUN = { asDrafts: false, allOrNothing: false, pauseMissing: false };

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
  const categories: string[] = await app.db('categories').orderBy('position').pluck('slug');
  const ads: string[] = await app.db('ads').where({ listed: true }).orderBy('id', 'desc').limit(500).pluck('id');
  const words: string[] = await app.db('search_words').orderBy('ads', 'desc').limit(1000).pluck('word');
  const cases = {
    '200 lists': listPaths(200, categories),
    'searches for 1,000 words': words.map((word) => `/api/ads?search=${encodeURIComponent(word)}`),
    '500 ads': ads.map((id) => `/api/ads/${id}`),
  };
  type Measured = Record<string, LoadResult[]>;
  const measure = async (into: Measured): Promise<void> => {
    for (const [name, paths] of Object.entries(cases)) {
      const one = { url: server.url + paths[0], paths, connections: CONNECTIONS };
      into[name] = [...(into[name] ?? []), await load(one, SECONDS, stage.directory)];
    }
  };
  const user = await insertUser(app);
  const actor: UserActor = { kind: 'user', id: user.id, role: user.role };
  const [alone, beside]: [Measured, Measured] = [{}, {}];
  const seconds: number[] = [];
  await measure({});
  for (const changed of [0, LIMITS.importRows]) {
    await measure(alone);
    const id = await previewImport(app, actor, { fileName: 'ads.csv', bytes: inPieces(toImportFile(changed)) });
    await startImport(app, actor, id, RUN);
    const isRunning = async () => (await findImport(app.db, id))!.state === 'running';
    const started = performance.now();
    while ((await findImport(app.db, id))!.done === 0) await sleep(50);
    while (await isRunning()) {
      const round: Measured = {};
      await measure(round);
      // the end of an import is beside none
      if (!(await isRunning())) break;
      for (const [name, runs] of Object.entries(round)) beside[name] = [...(beside[name] ?? []), ...runs];
    }
    seconds.push(Math.round((performance.now() - started) / 1000));
    await measure(alone);
  }
  const of = (runs: LoadResult[] | undefined, what: 'perSecond' | 'p50Ms' | 'p99Ms') =>
    Math.round(median(runs!.map((run) => run[what])) * 10) / 10;
  console.table(
    Object.fromEntries(
      Object.keys(cases).map((name) => [
        name,
        {
          'alone, a second': of(alone[name], 'perSecond'),
          'beside the import': of(beside[name], 'perSecond'),
          ratio: Math.round((of(beside[name], 'perSecond') / of(alone[name], 'perSecond')) * 100) / 100,
          'p50, ms': `${of(alone[name], 'p50Ms')} / ${of(beside[name], 'p50Ms')}`,
          'p99, ms': `${of(alone[name], 'p99Ms')} / ${of(beside[name], 'p99Ms')}`,
          failed: [...alone[name]!, ...beside[name]!].reduce((sum, { failed }) => sum + failed, 0),
          rounds: `${alone[name]!.length} / ${beside[name]!.length}`,
        },
      ]),
    ),
  );
  console.log(`Under this load the imports took ${seconds.join(' and ')} s.`);
} finally {
  await server.stop();
  await app.close();
  await stage.stop();
}
