/**
 * `make bench-imports-beside`: lists, searches and ads while a job of the server makes ads of a file of ten thousand rows without
 * photos. Prints two tables: how long a hundred requests a second wait, without and beside the import; and how many requests a second
 * the server answers at most, before and after the import, and beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findImport, type ImportRow } from '../../server/features/imports/repository.ts';
import { previewImport, startImport } from '../../server/features/imports/service.ts';
import type { UserActor } from '../../server/policy.ts';
import { insertUser } from '../harness/factories.ts';
import { inPieces, toImportFile } from './import-file.ts';
import { startServer } from './measured-server.ts';
import { loadAtRate, type PacedResult } from './paced.ts';
import { listPaths } from './reads-while-writing.ts';
import { openStage } from './stage.ts';
import { median } from './timing.ts';
import { type LoadResult, load } from './wrk.ts';

const ADS = Number(process.argv[2] ?? 10_000);
const ROUNDS = 2;
const NORMAL = { perSecond: 100, seconds: 10 };
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
  await measure({});
  const begin = async (file: string): Promise<() => Promise<ImportRow>> => {
    const id = await previewImport(app, actor, { fileName: 'ads.csv', bytes: inPieces(file) });
    await startImport(app, actor, id, RUN);
    const read = async () => (await findImport(app.db, id))!;
    while ((await read()).done === 0) await sleep(50);
    return read;
  };
  const toSeconds = ({ started_at, finished_at }: ImportRow) =>
    Math.round((Date.parse(finished_at!) - Date.parse(started_at!)) / 1000);
  // neighbours are of different kinds, as people's requests are
  const kinds = Object.values(cases);
  const mixed = Array.from(
    { length: 3000 },
    (_, at) => kinds[at % kinds.length]![at % kinds[at % kinds.length]!.length]!,
  );
  const measureNormal = () => loadAtRate(server.url, mixed, NORMAL);
  await measureNormal();
  const quiet = [await measureNormal(), await measureNormal()];
  const busy: PacedResult[] = [];
  const readFirst = await begin(toImportFile(0));
  for (let isOver = false; !isOver; ) {
    const round = await measureNormal();
    isOver = (await readFirst()).state !== 'running';
    if (!isOver) busy.push(round);
  }
  const first = toSeconds(await readFirst());
  for (let round = 0; round < ROUNDS; round++) await measure(alone);
  const read = await begin(toImportFile(0).replaceAll(/^ad-/gm, 'other-'));
  while ((await read()).state === 'running') {
    const round: Measured = {};
    await measure(round);
    // what is measured beside its end is beside none
    if ((await read()).state !== 'running') break;
    for (const [name, runs] of Object.entries(round)) beside[name] = [...(beside[name] ?? []), ...runs];
  }
  const seconds = toSeconds(await read());
  for (let round = 0; round < ROUNDS; round++) await measure(alone);
  const of = (runs: LoadResult[] | undefined, what: 'perSecond' | 'p50Ms' | 'p99Ms') =>
    Math.round(median(runs!.map((run) => run[what])) * 10) / 10;
  const round = (ms: readonly number[]) => Math.round(median([...ms]) * 10) / 10;
  console.table(
    Object.fromEntries(
      Object.entries({ alone: quiet, 'beside the import': busy }).map(([name, runs]) => [
        `${NORMAL.perSecond} a second, ${name}`,
        {
          'p50, ms': round(runs.map(({ p50Ms }) => p50Ms)),
          'p99, ms': round(runs.map(({ p99Ms }) => p99Ms)),
          failed: runs.reduce((sum, { failed }) => sum + failed, 0),
          rounds: runs.length,
        },
      ]),
    ),
  );
  console.log(`Beside them the import took ${first} s.`);
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
  console.log(`Under this load the import took ${seconds} s.`);
} finally {
  await server.stop();
  await app.close();
  await stage.stop();
}
