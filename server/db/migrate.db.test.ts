import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { findFreePort } from '../../local/ports.ts';
import { kill, startMigrating, until, writeMigrations } from '../../test/migrations/processes.ts';
import {
  listMigrations,
  MigrationLockTimeout,
  migrateDown,
  migrateUp,
  UnknownSchema,
  unlockMigrations,
} from './migrate.ts';
import { createPool, type Db } from './pools.ts';

const CACHE = join(import.meta.dirname, '../../.cache');
mkdirSync(CACHE, { recursive: true });

const opened: { name: string; db: Db; directory?: string }[] = [];
const admin = async (sql: string) => {
  const client = new pg.Client({ connectionString: inject('postgres').url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/** An empty database: no schema of ours yet. */
const createEmpty = async () => {
  const name = `tradepost_migrate_${process.pid}_${opened.length}`;
  await admin(`create database ${name}`);
  const url = new URL(inject('postgres').url);
  url.pathname = `/${name}`;
  const db = createPool({ url: url.href, name: 'test' });
  opened.push({ name, db });
  return { url: url.href, db };
};

afterEach(async () => {
  for (const { db } of opened) await db.destroy();
});
afterAll(async () => {
  for (const { name } of opened) await admin(`drop database if exists ${name} with (force)`);
  const { readdirSync } = await import('node:fs');
  for (const name of readdirSync(CACHE))
    if (name.startsWith('migrations-')) rmSync(join(CACHE, name), { recursive: true });
});

const counts = async (db: Db) => ({
  recorded: (await db('knex_migrations').orderBy('name').pluck('name')) as string[],
  locked: (await db('knex_migrations_lock').sum('is_locked as locked').first())?.locked,
});
const NOT_LOCKED = expect.stringMatching(/^0$/);

// An operator who holds `gate` decides when a migration that wants it goes on.
const holdGate = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table if not exists gate ()');
  await client.query('begin');
  await client.query('lock table gate');
  return async () => {
    await client.query('commit');
    await client.end();
  };
};
const PASS_GATE = 'set lock_timeout = 0; select count(*) from gate';
const AT_GATE = `exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from gate%' and datname = current_database())`;
const BUILDS_INDEX = `exists (select from pg_stat_activity where query ilike 'create index concurrently%' and state = 'active' and datname = current_database())`;

describe('migrating with several replicas', () => {
  test('T1: of two starters with a pending migration outside a transaction, one runs it, the other waits and finds nothing to do', async () => {
    const { url, db } = await createEmpty();
    const open = await holdGate(url);
    const directory = writeMigrations({
      '01_once': { transaction: false, sql: ['create table runs (id int)', PASS_GATE, 'insert into runs values (1)'] },
    });
    const first = startMigrating(url, directory);
    await until(db, AT_GATE, first);
    const second = startMigrating(url, directory);
    await second.waits;
    await open();
    expect(await first.applied).toEqual(['01_once.ts']);
    expect(await second.applied).toEqual([]);
    expect(await db('runs').count()).toEqual([{ count: '1' }]);
    expect(await counts(db)).toEqual({ recorded: ['01_once.ts'], locked: NOT_LOCKED });
  });

  test('T2: a starter killed outside a transaction leaves no lock behind: the next one continues', async () => {
    const { url, db } = await createEmpty();
    const open = await holdGate(url);
    const directory = writeMigrations({
      '01_idempotent': {
        transaction: false,
        sql: [
          'create table if not exists half (id int primary key)',
          PASS_GATE,
          'insert into half values (1) on conflict do nothing',
        ],
      },
    });
    const killed = startMigrating(url, directory);
    await until(db, AT_GATE, killed);
    await kill(killed);
    expect((await counts(db)).locked).toBe('1');
    await open();
    expect(await startMigrating(url, directory).applied).toEqual(['01_idempotent.ts']);
    expect(await counts(db)).toEqual({ recorded: ['01_idempotent.ts'], locked: NOT_LOCKED });
  });

  test('T2b: a starter killed inside a transaction leaves nothing behind at all', async () => {
    const { url, db } = await createEmpty();
    const open = await holdGate(url);
    const directory = writeMigrations({ '01_whole': { sql: ['create table whole (id int)', PASS_GATE] } });
    const killed = startMigrating(url, directory);
    await until(db, AT_GATE, killed);
    await kill(killed);
    await open();
    expect(await startMigrating(url, directory).applied).toEqual(['01_whole.ts']);
    expect(await counts(db)).toEqual({ recorded: ['01_whole.ts'], locked: NOT_LOCKED });
  });

  test('T3, T4: waiting replicas do not hang CREATE INDEX CONCURRENTLY', async () => {
    const { url, db } = await createEmpty();
    await db.raw('create table big as select g as id from generate_series(1, 1000) g');
    // an open transaction with a snapshot keeps the index from being finished until we say so
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin isolation level repeatable read; select count(*) from big');
    const directory = writeMigrations({
      '01_index': {
        transaction: false,
        sql: ['set lock_timeout = 0', 'create index concurrently if not exists big_id on big (id)'],
      },
    });
    const first = startMigrating(url, directory);
    await until(db, BUILDS_INDEX, first);
    const waiting = [startMigrating(url, directory), startMigrating(url, directory)];
    await Promise.all(waiting.map(({ waits }) => waits));
    await reader.query('commit');
    await reader.end();
    expect(await first.applied).toEqual(['01_index.ts']);
    expect(await Promise.all(waiting.map(({ applied }) => applied))).toEqual([[], []]);
    const { rows } = await db.raw("select indisvalid from pg_index where indexrelid = 'big_id'::regclass");
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('T5: of three replicas the migrating one is killed; the next takes over, the third finds nothing to do', async () => {
    const { url, db } = await createEmpty();
    const open = await holdGate(url);
    const directory = writeMigrations({
      '01_first': { sql: ['create table first (id int)'] },
      '02_second': { transaction: false, sql: [PASS_GATE, 'create table if not exists second (id int)'] },
      '03_third': { sql: ['create table third (id int)'] },
    });
    const killed = startMigrating(url, directory);
    await until(db, AT_GATE, killed);
    const others = [startMigrating(url, directory), startMigrating(url, directory)];
    await Promise.all(others.map(({ waits }) => waits));
    await kill(killed);
    await open();
    const applied = await Promise.all(others.map((other) => other.applied));
    expect(applied.flat().filter((name) => name !== '01_first.ts')).toEqual(['02_second.ts', '03_third.ts']);
    expect(applied.some((names) => names.length === 0)).toBe(true);
    expect(await counts(db)).toEqual({ recorded: ['01_first.ts', '02_second.ts', '03_third.ts'], locked: NOT_LOCKED });
  });

  test('T6: five starters on an empty database apply the real migrations once', async () => {
    const { url, db } = await createEmpty();
    const real = join(import.meta.dirname, '../../migrations');
    const starters = Array.from({ length: 5 }, () => startMigrating(url, real));
    const applied = await Promise.all(starters.map((starter) => starter.applied));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    const { recorded, locked } = await counts(db);
    expect(recorded).toEqual([...new Set(applied.flat())].sort());
    expect(locked).toEqual(NOT_LOCKED);
    expect((await listMigrations({ url })).every(({ appliedAt }) => appliedAt !== null)).toBe(true);
  });

  test('killed at each of the real migrations in turn, it always ends with the same schema', async () => {
    const { url, db } = await createEmpty();
    const real = join(import.meta.dirname, '../../migrations');
    for (let kills = 0; ; kills++) {
      const starter = startMigrating(url, real);
      // a moment later with each try: the kill meets every state between nothing and all
      const ended = await Promise.race([
        starter.applied.then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, 200 + kills * 60, false)),
      ]);
      if (ended) break;
      await kill(starter);
    }
    const { recorded, locked } = await counts(db);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(locked).toEqual(NOT_LOCKED);
    expect(await migrateUp({ url })).toEqual([]);
  });

  test('the error of a wait that is over names the holder of the lock; unlocking does not disturb the holder', async () => {
    const { url, db } = await createEmpty();
    const open = await holdGate(url);
    const directory = writeMigrations({ '01_slow': { sql: [PASS_GATE] } });
    const holder = startMigrating(url, directory);
    await until(db, AT_GATE, holder);
    const refused = migrateUp({ url, directory, wait: 0 });
    await expect(refused).rejects.toThrow(MigrationLockTimeout);
    await expect(refused).rejects.toThrow(/held by pid \d+ \(tradepost migration lock/);
    await expect(unlockMigrations({ url, directory })).rejects.toThrow(MigrationLockTimeout);
    await open();
    expect(await holder.applied).toEqual(['01_slow.ts']);
  });
});

describe('an older release on the schema of a newer one', () => {
  const OLD = {
    '01_users': { sql: ['create table users (id int)'] },
    '02_ads': { sql: ['create table ads (id int)'] },
  };
  const NEW = { ...OLD, '03_views': { sql: ['create table views (id int)'] } };

  test('leaves it unchanged and lists its migrations', async () => {
    const { url, db } = await createEmpty();
    await migrateUp({ url, directory: writeMigrations(NEW) });
    const older = { url, directory: writeMigrations(OLD) };
    const told: string[][] = [];
    expect(await migrateUp({ ...older, onNewer: (names) => told.push(names) })).toEqual([]);
    expect(told).toEqual([['03_views.ts']]);
    expect((await counts(db)).recorded).toEqual(['01_users.ts', '02_ads.ts', '03_views.ts']);
    expect((await listMigrations(older)).map(({ name, isKnown }) => [name, isKnown])).toEqual([
      ['01_users.ts', true],
      ['02_ads.ts', true],
      ['03_views.ts', false],
    ]);
  });

  test('does not revert a migration that it does not know, nor an earlier one', async () => {
    const { url, db } = await createEmpty();
    await migrateUp({ url, directory: writeMigrations(NEW) });
    const refused = migrateDown({ url, directory: writeMigrations(OLD) });
    await expect(refused).rejects.toThrow('A newer release brought 03_views.ts: only it can revert that.');
    expect((await counts(db)).recorded).toHaveLength(3);
  });

  test('refuses a schema that no release can have made, and changes nothing', async () => {
    const { url, db } = await createEmpty();
    const directory = writeMigrations(NEW);
    await migrateUp({ url, directory });
    await db('knex_migrations').where({ name: '02_ads.ts' }).delete();
    await expect(migrateUp({ url, directory: writeMigrations(OLD) })).rejects.toThrow(UnknownSchema);
    await db('knex_migrations').insert({ name: '02_adverts.ts', batch: 1 });
    await expect(migrateUp({ url, directory })).rejects.toThrow(UnknownSchema);
    expect((await counts(db)).recorded).toEqual(['01_users.ts', '02_adverts.ts', '03_views.ts']);
  });
});

describe('a database that does not answer yet', () => {
  const directory = writeMigrations({ '01_once': { sql: ['create table runs (id int)'] } });
  /** The address of `url` through a port without a listener before `open()`. */
  const behindClosedPort = async (url: string) => {
    const server = new URL(url);
    const relay = createServer((near) => {
      const port = Number(server.port || server.searchParams.get('port') || 5432);
      const folder = server.searchParams.get('host');
      const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, server.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const)
        from.on('error', () => to.destroy()).pipe(to);
    });
    const port = await findFreePort('127.0.0.1', 0);
    const target = new URL(url);
    for (const name of ['host', 'port']) target.searchParams.delete(name);
    target.hostname = '127.0.0.1';
    target.port = String(port);
    return { url: target.href, open: () => relay.listen(port, '127.0.0.1'), close: () => relay.close() };
  };

  test('is waited for if waitForDatabase is set', async () => {
    const { url } = await createEmpty();
    const door = await behindClosedPort(url);
    const applied = migrateUp({ url: door.url, directory, waitForDatabase: 600_000, onAway: () => void door.open() });
    expect(await applied).toEqual(['01_once.ts']);
    door.close();
  });

  test('fails immediately otherwise; so does a database that does not exist', async () => {
    const { url } = await createEmpty();
    const door = await behindClosedPort(url);
    await expect(migrateUp({ url: door.url, directory })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const missing = new URL(url);
    missing.pathname = '/nowhere';
    await expect(migrateUp({ url: missing.href, directory, waitForDatabase: 600_000 })).rejects.toMatchObject({
      code: '3D000',
    });
  });
});
