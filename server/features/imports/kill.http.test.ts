import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { createImporter, manyAds } from '../../../test/harness/importing.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readImport } from './service.ts';

const { app, url } = await openTestApp();
const { db } = app;
const dir = mkdtempSync(join(tmpdir(), 'kill-'));
afterAll(() => rmSync(dir, { recursive: true }));

const LOCK = 4242;
const TABLES = ['imports', 'import_rows', 'ads', 'ad_terms', 'imported_ads'];

beforeAll(async () => {
  await insertCategories(app);
  // whoever comes to the statement with this number waits there, until it is killed
  await db.raw(`create sequence statements; create table kill_at (place int);
    create function wait() returns trigger language plpgsql as $$ begin
      if nextval('statements') = (select place from kill_at) then perform pg_advisory_xact_lock(${LOCK}); end if;
      return null; end $$;
    ${TABLES.map((table) => `create trigger wait after insert or update on ${table} for each statement execute function wait();`).join(' ')}`);
});

const start = (path: string, args: readonly string[] = []): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, '../../..', path), ...args], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: app.config.databaseUrl,
      DATABASE_DIRECT_URL: app.config.databaseDirectUrl,
      PUBLIC_URL: url,
      X_CLIENT_ID: 'test-client',
      X_CLIENT_SECRET: 'test-secret',
      CACHE_DIR: app.config.cacheDir,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const startServer = () => start('test/harness/post-worker.ts');
const startImportAds = (file: string, seller: { id: string }) =>
  start('cli/bin.js', ['import', 'ads', file, '--as', seller.id, '--yes', '--pause-missing']);

const readAll = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
  let text = '';
  for await (const chunk of stream!) text += String(chunk);
  return text;
};

const listWaiting = async (): Promise<number[]> => {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(
    `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
};

/** Kills a process with SIGKILL while its statement with this number is carried out. Returns false if it has none. */
const killAt = (place: number, begin: () => ChildProcess): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(${LOCK})`);
    await db.raw(`alter sequence statements restart; truncate kill_at; insert into kill_at values (${place})`);
    const child = begin();
    const ended = once(child, 'exit');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await expect.poll(async () => isOver || (await listWaiting()).length > 0).toBe(true);
    const [backend] = await listWaiting();
    child.kill('SIGKILL');
    await ended;
    return backend;
  }).then(async (backend) => {
    await db.raw('truncate kill_at');
    if (backend === undefined) return false;
    // what it was doing is given up once its connection is found dead
    await expect.poll(() => db('pg_stat_activity').where({ pid: backend })).toEqual([]);
    return true;
  });

/** What a dead process held is free for others, without the minutes that this takes. */
const freeJobs = () =>
  db.raw('update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()');

type Seller = Awaited<ReturnType<typeof createImporter>>;

const finish = async (seller: Seller, id: string) => {
  await freeJobs();
  const server = startServer();
  await expect.poll(async () => (await readImport(app, seller.actor, id)).state).toBe('done');
  server.kill('SIGKILL');
  await once(server, 'exit');
};

const expectNothingHalfDone = async (seller: Seller, id: string): Promise<void> => {
  const { created, done } = await readImport(app, seller.actor, id);
  expect(done).toBe(created);
  expect(await seller.listAds()).toHaveLength(created);
  expect(await db('imported_ads').where({ user_id: seller.id })).toHaveLength(created);
};

test('a server that is killed at ten places of an import goes on where it stopped', async () => {
  const seller = await createImporter(app);
  const id = await seller.start(manyAds(350));
  const places = [1, 2, 3, 4, 5, 6, 7, 8, 9, 4];
  for (const place of places) {
    await freeJobs();
    expect([place, await killAt(place, startServer)]).toEqual([place, true]);
    await expectNothingHalfDone(seller, id);
  }
  await finish(seller, id);
  expect(await readImport(app, seller.actor, id)).toMatchObject({ state: 'done', created: 350, refused: 0 });
  expect(await seller.run(manyAds(350))).toMatchObject({ counts: { same: 350, new: 0 } });
});

test('marketctl that is killed at ten places leaves nothing, or a job goes on; the next one says so', async () => {
  const file = join(dir, 'ads.csv');
  writeFileSync(file, manyAds(150));
  let [begun, left] = [0, 0];
  for (const place of [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]) {
    const seller = await createImporter(app);
    expect([place, await killAt(place, () => startImportAds(file, seller))]).toEqual([place, true]);
    const row = await db('imports').where({ user_id: seller.id }).first();
    const next = startImportAds(file, seller);
    const [said, [code]] = await Promise.all([readAll(next.stderr), once(next, 'exit')]);
    if (row?.state === 'running') {
      begun += 1;
      expect([code, said]).toEqual([6, expect.stringContaining(`An import is running: ads.csv, ${row.done} of 150.`)]);
      await expectNothingHalfDone(seller, row.id);
      await finish(seller, row.id);
    } else {
      left += 1;
      expect([code, said]).toEqual([0, expect.stringContaining('150 new ads')]);
    }
    expect(await seller.listAds()).toHaveLength(150);
    expect(await seller.preview(manyAds(150))).toMatchObject({ counts: { same: 150, new: 0 } });
  }
  expect([begun, left].every((times) => times > 1)).toBe(true);
});
