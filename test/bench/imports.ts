/**
 * `make bench-imports`: how long a file of ten thousand ads without photos takes, and how much memory beside what the process has
 * anyway: the preview, the import, the same file again, and one in which a tenth has changed. Prints a table; DATABASE_URL may name
 * an empty database. Give it and its PostgreSQL a processor of their own (`nice -n -20`), or look at the seconds of CPU alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LIMITS } from '../../contract/limits.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import { type AppContext, createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { seedCategories } from '../../server/features/categories/service.ts';
import { runImport } from '../../server/features/imports/run.ts';
import { previewImport, readImport, startImport } from '../../server/features/imports/service.ts';
import type { UserActor } from '../../server/policy.ts';
import { insertUser } from '../harness/factories.ts';
import { readCpuSeconds } from './cpu.ts';
import { inPieces, toImportFile } from './import-file.ts';

const ADS = LIMITS.importRows;
const MEGABYTE = 1024 * 1024;
const RUN = { asDrafts: false, allOrNothing: false, pauseMissing: false };

interface Measured {
  what: string;
  seconds: number;
  own: number;
  postgres: number;
  megabytes: number;
}

/** Elapsed time, CPU of this process and of PostgreSQL, and the most memory beside that of before. */
const measure = async (what: string, postgresPid: number, work: () => Promise<unknown>): Promise<Measured> => {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const [own, postgres, begun] = [readCpuSeconds(process.pid), readCpuSeconds(postgresPid), performance.now()];
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return {
    what,
    seconds: (performance.now() - begun) / 1000,
    own: readCpuSeconds(process.pid) - own,
    postgres: readCpuSeconds(postgresPid) - postgres,
    megabytes: (Math.max(peak, process.memoryUsage().rss) - before) / MEGABYTE,
  };
};

const measureAll = async (app: AppContext, postgresPid: number): Promise<Measured[]> => {
  const user = await insertUser(app);
  const actor: UserActor = { kind: 'user', id: user.id, role: user.role };
  const preview = (text: string) => previewImport(app, actor, { fileName: 'ads.csv', bytes: inPieces(text) });
  // what a process has anyway once it has read a file
  await preview(toImportFile(0).split('\n').slice(0, 50).join('\n'));
  const measured: Measured[] = [];
  const move = async (name: string, text: string, expected: Record<string, number>) => {
    let id = '';
    measured.push(
      await measure(`preview, ${name}`, postgresPid, async () => {
        id = await preview(text);
      }),
    );
    const { counts } = await readImport(app, actor, id);
    for (const [kind, count] of Object.entries(expected))
      if (counts[kind as keyof typeof counts] !== count) throw new Error(`${name}: ${JSON.stringify(counts)}`);
    if (counts.new + counts.changed === 0) return;
    await startImport(app, actor, id, RUN);
    measured.push(await measure(`import, ${name}`, postgresPid, () => runImport(app, id)));
    const { state, refused } = await readImport(app, actor, id);
    if (state !== 'done' || refused > 0) throw new Error(`${name}: ${state}, ${refused} refused`);
  };
  await move('all are new', toImportFile(0), { new: ADS });
  await move('nothing has changed', toImportFile(0), { same: ADS });
  await move('a tenth has changed', toImportFile(ADS / 10), { changed: ADS / 10, same: ADS * 0.9 });
  return measured;
};

const directory = mkdtempSync(join(tmpdir(), 'bench-imports-'));
const postgres = process.env.DATABASE_URL
  ? undefined
  : await startPostgres({ dataDir: directory, onEvent: (message) => console.error(message) });
const url = process.env.DATABASE_URL ?? postgres!.url;
try {
  await migrateUp({ url });
  const config = readConfig({ NODE_ENV: 'development', DATABASE_URL: url, LOG_LEVEL: 'error', CACHE_DIR: directory });
  const app = createAppContext(config);
  await seedCategories(app, categories);
  const measured = await measureAll(app, postgres?.pid ?? 0);
  const round = (number: number) => Math.round(number * 10) / 10;
  console.table(
    measured.map(({ what, seconds, own, postgres: theirs, megabytes }) => ({
      [`${ADS} ads`]: what,
      seconds: round(seconds),
      'CPU of the process': round(own),
      'CPU of PostgreSQL': round(theirs),
      'more MB': Math.round(megabytes),
    })),
  );
  await app.close();
} finally {
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
}
