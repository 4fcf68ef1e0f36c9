/**
 * `make vegeta`: requests at a constant rate, which do not wait for earlier responses, as visitors do not. wrk, whose
 * connections wait, measures the same paths first; vegeta then sends shares of that rate. Prints both. Fails if a request
 * fails at half of the rate or less.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildWeb } from '../../local/web-build.ts';
import { createRandom } from '../../seeds/demo/random.ts';
import type { AppContext } from '../../server/app-context.ts';
import { unseenLists } from './http-cases.ts';
import { startServer } from './measured-server.ts';
import { openStage } from './stage.ts';
import { load } from './wrk.ts';

const run = promisify(execFile);
const VERSION = 'v12.13.0';
const FOLDER = join(homedir(), `.cache/tradepost-vegeta/${VERSION}`);
const SHARES = [0.25, 0.5, 0.8];
const MUST_SUCCEED = 0.5;

const { values } = parseArgs({
  options: { ads: { type: 'string', default: '100000' }, seconds: { type: 'string', default: '10' } },
});
const seconds = Number(values.seconds);
const log = (message: string) => console.error(message);

/** The path of vegeta, built once outside of the checkout; undefined without Go and its module proxy. */
function ensureVegeta(): string | undefined {
  const path = join(FOLDER, 'vegeta');
  if (existsSync(path)) return path;
  const env = { ...process.env, GOBIN: FOLDER, GOFLAGS: '-mod=mod' };
  const { status } = spawnSync('go', ['install', `github.com/tsenart/vegeta/v12@${VERSION}`], { env, stdio: 'ignore' });
  return status === 0 ? path : undefined;
}

interface Report {
  latencies: Record<'50th' | '99th' | 'max', number>;
  requests: number;
  success: number;
  rate: number;
}

async function attack(vegeta: string, urls: readonly string[], rate: number, directory: string): Promise<Report> {
  const [targets, results] = [join(directory, 'targets.txt'), join(directory, 'results.bin')];
  await writeFile(targets, urls.map((url) => `GET ${url}\n`).join(''));
  const length = [`-rate=${rate}`, `-duration=${seconds}s`, '-timeout=10s'];
  await run(vegeta, ['attack', ...length, `-targets=${targets}`, `-output=${results}`], {
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const { stdout } = await run(vegeta, ['report', '-type=json', results]);
  return JSON.parse(stdout) as Report;
}

async function listPaths({ db }: AppContext): Promise<Record<string, string[]>> {
  const random = createRandom(Date.now());
  const words: string[] = await db('search_words').orderBy('word').pluck('word');
  const ads: string[] = await db('ads').where({ listed: true }).orderBy('id', 'desc').limit(2000).pluck('id');
  return {
    'one hot list': ['/api/ads'],
    'lists never seen': unseenLists(20_000),
    'searches for any word': Array.from(
      { length: 20_000 },
      () => `/api/ads?search=${encodeURIComponent(words[Math.floor(random() * words.length)] ?? '')}`,
    ),
    '2,000 ads': ads.map((id) => `/api/ads/${id}`),
    'the page /': ['/'],
    '2,000 pages of ads': ads.map((id) => `/ads/${id}`),
  };
}

const vegeta = ensureVegeta();
if (!vegeta) {
  console.log('SKIPPED: vegeta cannot be built here; it needs Go and its module proxy');
  process.exit(0);
}
await buildWeb(join(import.meta.dirname, '../..'));
const stage = await openStage(log);
const rows: Record<string, string | number>[] = [];
const failures: string[] = [];
try {
  const url = await stage.openDatabase(Number(values.ads));
  const app = stage.openApp(url);
  const server = await startServer({
    DATABASE_URL: url,
    RATE_LIMIT_SCALE: '1000000',
    CACHE_DIR: join(stage.directory, 'cache'),
    X_CLIENT_ID: 'bench',
    X_CLIENT_SECRET: 'bench',
  });
  try {
    for (const [name, paths] of Object.entries(await listPaths(app))) {
      log(name);
      const measure = (connections: number) =>
        load({ url: server.url + paths[0], paths, connections }, seconds, stage.directory);
      await measure(32);
      const { perSecond, p50Ms, p99Ms, failed: lost } = await measure(32);
      const figures = (tool: string, rate: number, failed: number, [p50, p99, max]: [number, number, number]) =>
        rows.push({ paths: name, tool, 'per second': Math.round(rate), failed, p50, p99, max });
      figures('wrk', perSecond, lost, [p50Ms, p99Ms, Number.NaN]);
      for (const share of SHARES) {
        const urls = paths.map((path) => server.url + path);
        const report = await attack(vegeta, urls, Math.max(1, Math.round(perSecond * share)), stage.directory);
        const failed = Math.round(report.requests * (1 - report.success));
        const { latencies } = report;
        const ms = (ns: number) => Math.round(ns / 1e4) / 100;
        figures(`vegeta, ${share * 100} %`, report.rate, failed, [
          ms(latencies['50th']),
          ms(latencies['99th']),
          ms(latencies.max),
        ]);
        if (failed > 0 && share <= MUST_SUCCEED) failures.push(`${name}: ${failed} failed at ${share * 100} %`);
      }
    }
  } finally {
    await server.stop();
    await app.close();
  }
} finally {
  await stage.stop();
}
console.table(rows);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
