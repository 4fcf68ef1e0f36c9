import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../local/postgres/postgres.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import { seedDemo } from '../../seeds/demo/demo.ts';
import { type AppContext, createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { seedCategories } from '../../server/features/categories/service.ts';
import { seedPlaces } from '../../server/features/places/service.ts';

export interface Stage {
  directory: string;
  postgresPid: number;
  /** A migrated database with this number of invented ads, copied from one that is created once and kept. */
  openDatabase(ads: number): Promise<string>;
  /** `isPatient` disables the statement timeout. */
  openApp(url: string, isPatient?: boolean, env?: NodeJS.ProcessEnv): AppContext;
  stop(): Promise<void>;
}

/** A PostgreSQL for benchmarks, in `data/bench` of the checkout or in BENCH_DIR. */
export async function openStage(log: (message: string) => void): Promise<Stage> {
  const directory = resolve(process.env.BENCH_DIR ?? 'data/bench');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  const postgres = await startPostgres({ dataDir: directory, onEvent: log });
  const open: Stage['openApp'] = (url, isPatient = false, env = {}) => {
    const cache = join(directory, 'cache');
    const fixed = { NODE_ENV: 'development', DATABASE_URL: url, LOG_LEVEL: 'error', CACHE_DIR: cache };
    const patience = { connection: { name: 'tradepost bench', statementTimeout: 0, poolMax: 16 } };
    return createAppContext(readConfig({ ...fixed, ...env }), isPatient ? patience : {});
  };
  const copies = new Map<number, Promise<string>>();
  const openCopy = async (ads: number) => {
    const url = await ensureDatabase(postgres.url, `demo_${ads}`);
    await migrateUp({ url });
    const app = open(url);
    try {
      await seedPlaces(app);
      const { rows } = await app.db.raw('select count(*)::int as ads from (select from ads limit ?) a', [ads]);
      if (rows[0].ads < ads) await fill(app, ads, log);
    } finally {
      await app.close();
    }
    return copyDatabase(postgres.url, `demo_${ads}`);
  };
  return {
    directory,
    postgresPid: postgres.pid ?? 0,
    openApp: open,
    stop: () => postgres.stop(),
    openDatabase(ads) {
      const copy = copies.get(ads) ?? openCopy(ads);
      copies.set(ads, copy);
      return copy;
    },
  };
}

async function fill(app: AppContext, ads: number, log: (message: string) => void): Promise<void> {
  await seedCategories(app, categories);
  const { seconds } = await seedDemo(app, { ads, onProgress: (step) => log(`${ads} ads: ${step}`) });
  log(`${ads} ads were there after ${seconds} s`);
}

async function asOwner<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const named = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

async function ensureDatabase(url: string, name: string): Promise<string> {
  await asOwner(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${name}`);
  });
  return named(url, name);
}

/** Copies the database for one run. Otherwise the ads that a run posts would be the newest ads of the next run. */
async function copyDatabase(url: string, name: string): Promise<string> {
  const copy = `${name}_run`;
  await asOwner(url, async (client) => {
    await client.query(`drop database if exists ${copy} with (force)`);
    // Copying files is faster than copying through the WAL.
    await client.query(`create database ${copy} template ${name} strategy file_copy`);
  });
  return named(url, copy);
}
