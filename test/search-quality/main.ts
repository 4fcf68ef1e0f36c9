/**
 * `make search-quality`: how well the search finds what people expect, by set and language. `--verbose` lists the
 * queries that fail, with what came first; `--json` prints everything as JSON; `--set held-out` takes one set, names of
 * languages choose these. The exit code is 1 if a goal is missed.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { createSite, SERVER_OPTIONS, tuneServer } from '../../server/http/server.ts';
import { createClient } from '../harness/client.ts';
import { withDatabase } from '../harness/global-setup.ts';
import { openPostgresServer } from '../harness/postgres-server.ts';
import { askAll, searchEnv } from './ask.ts';
import { type Corpus, readCorpora, SETS } from './corpus.ts';
import { type Figures, listMissed, summarize, type Verdict } from './judge.ts';

const { values, positionals } = parseArgs({
  options: {
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    set: { type: 'string' },
  },
  allowPositionals: true,
});

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Asks in a marketplace with this language's ads alone, as most marketplaces are. Its server runs no jobs. */
async function measure(databaseUrl: string, corpus: Corpus): Promise<Verdict[]> {
  const cache = await mkdtemp(join(tmpdir(), 'tradepost-'));
  const server = createServer(SERVER_OPTIONS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    CACHE_DIR: cache,
    RATE_LIMIT_SCALE: '0',
    ...searchEnv(corpus),
  };
  const x = { X_CLIENT_ID: 'search', X_CLIENT_SECRET: 'search' };
  const app = createAppContext(readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'error', ...env, ...x }));
  const site = await createSite(app, { phase: 'ready' }, '/nowhere');
  tuneServer(server, app).on('request', site.handle);
  try {
    return await askAll(app, createClient(url), corpus);
  } finally {
    server.closeAllConnections();
    server.close();
    await site.close();
    await app.close();
    await rm(cache, { recursive: true, force: true });
  }
}

async function measureAll(corpora: Corpus[]): Promise<Verdict[][]> {
  const postgres = await openPostgresServer();
  const template = `search_quality_${randomBytes(6).toString('hex')}`;
  const results: Verdict[][] = [];
  try {
    await runSql(postgres.url, `create database ${template}`);
    await migrateUp({ url: withDatabase(postgres.url, template) });
    for (const corpus of corpora) {
      const name = `${template}_${results.length}`;
      await runSql(postgres.url, `create database ${name} template ${template}`);
      const verdicts = measure(withDatabase(postgres.url, name), corpus);
      results.push(await verdicts.finally(() => runSql(postgres.url, `drop database ${name} with (force)`)));
    }
  } finally {
    await runSql(postgres.url, `drop database if exists ${template} with (force)`);
    await postgres.close();
  }
  return results;
}

const COLUMNS: [string, (figures: Figures) => string][] = [
  ['ads', ({ ads }) => String(ads)],
  ['queries', ({ queries }) => String(queries)],
  ['complete', ({ complete }) => complete.toFixed(3)],
  ['best in front', ({ bestInFront }) => bestInFront.toFixed(3)],
  ['near miss in front', ({ nearMissInFront }) => nearMissInFront.toFixed(3)],
  ['empty', ({ empty }) => String(empty)],
];

function printTable(rows: Record<string, Figures>): void {
  console.log(['   ', ...COLUMNS.map(([name]) => name)].join('  '));
  for (const [name, figures] of Object.entries(rows))
    console.log([name.padEnd(3), ...COLUMNS.map(([head, show]) => show(figures).padStart(head.length))].join('  '));
}

function printFailure({ query, faults, missing, page }: Verdict): void {
  console.log(`\n"${query.search}": ${faults.join(', ')}`);
  for (const { thing, title } of page.slice(0, 4)) console.log(`    ${thing}: ${title}`);
  for (const title of missing.slice(0, 6)) console.log(`    missing: ${title}`);
  if (missing.length > 6) console.log(`    and ${missing.length - 6} more are missing`);
}

interface Result {
  corpus: Corpus;
  verdicts: Verdict[];
}

function report(results: Result[]) {
  const byLanguage = Object.fromEntries(
    results.map(({ corpus, verdicts }) => [corpus.language, summarize(corpus.ads.length, verdicts)]),
  );
  const numberOfAds = results.reduce((sum, { corpus }) => sum + corpus.ads.length, 0);
  const all = summarize(
    numberOfAds,
    results.flatMap(({ verdicts }) => verdicts),
  );
  const failures = Object.fromEntries(
    results.map(({ corpus, verdicts }) => [corpus.language, verdicts.filter(({ faults }) => faults.length > 0)]),
  );
  return { all, byLanguage, missed: listMissed(all, byLanguage), failures };
}

const sets = SETS.filter((set) => values.set === undefined || set === values.set);
const corpora = readCorpora(sets).filter(({ language }) => positionals.length === 0 || positionals.includes(language));
const verdicts = await measureAll(corpora);
const results = corpora.map((corpus, at) => ({ corpus, verdicts: verdicts[at]! }));
const reports = sets.map((set) => ({ set, ...report(results.filter(({ corpus }) => corpus.set === set)) }));
if (values.json) console.log(JSON.stringify(reports, null, 2));
else
  for (const { set, all, byLanguage, missed, failures } of reports) {
    console.log(`\n${set}`);
    printTable({ ...byLanguage, all });
    for (const sentence of missed) console.log(`MISSED: ${sentence}`);
    if (values.verbose)
      for (const [language, failing] of Object.entries(failures)) {
        console.log(`\n${language}: ${failing.length} fail`);
        for (const verdict of failing) printFailure(verdict);
      }
  }
process.exitCode = reports.some(({ missed }) => missed.length > 0) ? 1 : 0;
