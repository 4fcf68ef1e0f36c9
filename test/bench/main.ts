/** `make bench` and `make bench-quick`: measure the product and the baselines alternately. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWeb } from '../../local/web-build.ts';
import { listHttpCases, switchSpamLimitsOff } from './http-cases.ts';
import { type HttpStage, openHttpStage } from './http-stage.ts';
import { type HttpResult, measureHttp } from './measure-http.ts';
import { measureClients, measureQueries } from './queries.ts';
import { measureMixed } from './reads-while-writing.ts';
import { type BenchResults, fallsFarShort, printRows, printTable, writeReport } from './report.ts';
import { measureMatches } from './saved-searches.ts';
import { openStage, type Stage } from './stage.ts';
import { measureStarts } from './starts.ts';
import { measureStreams } from './streams.ts';
import { measureWrites } from './writes.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const QUICK = {
  rounds: 1,
  seconds: 1,
  runs: 15,
  mixed: { rounds: 1, seconds: 2 },
  clientSeconds: 3,
  naiveSeconds: 5,
  idleSeconds: 3,
  writes: { ads: 5, rounds: 1, messages: 30 },
};
const FULL = {
  rounds: 3,
  seconds: 2,
  // With fewer runs, a single pause of the machine determines the 99th percentile.
  runs: 200,
  mixed: { rounds: 3, seconds: 3 },
  clientSeconds: 10,
  naiveSeconds: 15,
  idleSeconds: 20,
  writes: { ads: 20, rounds: 3, messages: 300 },
};
const pace = values.quick ? QUICK : FULL;
const sizes = values.quick ? [100_000] : values.sizes.split(',').map(Number);
const log = (message: string) => console.error(message);

const measureCases = async (servers: HttpStage, name = ''): Promise<HttpResult[]> => {
  const results: HttpResult[] = [];
  for (const test of await listHttpCases(servers.app)) {
    if (!test.name.includes(name)) continue;
    log(test.name);
    results.push(await measureHttp(test, servers.at, pace.rounds, pace.seconds));
  }
  return results;
};

async function measureServer(
  stage: Stage,
  url: string,
): Promise<Pick<BenchResults, 'http' | 'mixed' | 'streams' | 'writes' | 'start'>> {
  const servers = await openHttpStage(stage, url);
  const { app, server, env } = servers;
  try {
    await switchSpamLimitsOff(app);
    const http = await measureCases(servers);
    const mixed = await measureMixed(app, server, stage.directory, pace.mixed, { log });
    log('open streams');
    const streams = await measureStreams(app, server, pace.idleSeconds);
    log('writes');
    const writes = await measureWrites(app, server, pace.writes);
    log('starts');
    return { http, mixed, streams, writes, start: await measureStarts(env, values.quick) };
  } finally {
    await servers.stop();
  }
}

async function measureOnly(stage: Stage, name: string): Promise<void> {
  const servers = await openHttpStage(stage, await stage.openDatabase(sizes[0]!));
  try {
    const http = await measureCases(servers, name);
    const { app, server } = servers;
    printRows({ http, mixed: await measureMixed(app, server, stage.directory, pace.mixed, { name, log }) });
  } finally {
    await servers.stop();
  }
}

async function measureDatabases(stage: Stage): Promise<BenchResults['databases']> {
  const urls: string[] = [];
  for (const ads of sizes) urls.push(await stage.openDatabase(ads));
  const apps = urls.map((url) => stage.openApp(url));
  try {
    log('queries');
    const queries = await measureQueries(apps, pace.runs);
    const databases: BenchResults['databases'] = [];
    for (const [i, ads] of sizes.entries()) {
      log(`${ads} ads: sixteen clients`);
      const clients = await measureClients(apps[i]!, pace.clientSeconds, false);
      const slow = stage.openApp(urls[i]!, true);
      const naive = await measureClients(slow, pace.naiveSeconds, true).finally(() => slow.close());
      databases.push({ ads, queries: queries[i]!, clients, naive });
    }
    return databases;
  } finally {
    await Promise.all(apps.map((app) => app.close()));
  }
}

async function measureAll(stage: Stage): Promise<void> {
  const loadBefore = loadavg()[0]!;
  const databases = await measureDatabases(stage);
  const largest = await stage.openDatabase(sizes.at(-1)!);
  log('saved searches');
  const patient = stage.openApp(largest, true);
  const matches = await measureMatches(patient, pace.runs).finally(() => patient.close());
  const results: BenchResults = {
    at: new Date().toISOString(),
    quick: values.quick,
    load: [loadBefore, Number.NaN],
    databases,
    matches,
    ...(await measureServer(stage, largest)),
  };
  results.load[1] = loadavg()[0]!;
  printTable(results);
  const directory = join(stage.directory, 'results');
  mkdirSync(directory, { recursive: true });
  const name = values.quick ? 'quick' : results.at.slice(0, 16).replace(':', '');
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
  if (!values.quick) writeReport(results);
  for (const sentence of fallsFarShort(results)) console.log(`SLOW: ${sentence}`);
}

await buildWeb(join(import.meta.dirname, '../..'));
const stage = await openStage(log);
try {
  if (values.only === undefined) await measureAll(stage);
  else await measureOnly(stage, values.only);
} finally {
  await stage.stop();
}
