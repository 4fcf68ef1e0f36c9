import { join } from 'node:path';
import type { Knex } from 'knex';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyInTransaction, listMigrationNames, migrateDown, migrateUp } from '../../server/db/migrate.ts';
import { openTestApp } from '../harness/app.ts';
import { fillEveryTable } from '../harness/every-table.ts';

/** The last migration that was released before this rule. */
const BASELINE = '20261125002010_listed_ads_search.ts';
/** Tables that stay small on every site. Their migrations may read and write all of their rows. */
const SMALL = ['admin_credentials', 'categories', 'countries', 'mail_slots', 'settings'];
/** Locks that writers wait for. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

const { app } = await openTestApp();
beforeAll(() => fillEveryTable(app));

interface TableUse {
  table: string;
  /** Rows at the beginning. */
  rows: number;
  /** How many rows the transaction has read in sequence, and written. */
  read: number;
  written: number;
  isBlocked: boolean;
}

const READ_USE = `
  select c.oid::regclass::text as "table", s.seq_tup_read::int as "read", (s.n_tup_upd + s.n_tup_del)::int as "written",
    exists (select from pg_locks l where l.pid = pg_backend_pid() and l.relation = c.oid and l.mode = any(:modes)) as "isBlocked"
  from pg_stat_xact_user_tables s join pg_class c on c.oid = s.relid where s.schemaname = 'public'`;

const countRows = async (trx: Knex): Promise<Map<string, number>> => {
  const { rows } = await trx.raw(
    `select relname, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text::int as n
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return new Map(rows.map(({ relname, n }: { relname: string; n: number }) => [relname, n]));
};

/** What people would notice of this work on a filled database: their writes wait while all rows of a table are read or written. */
async function findBlockedWriters(trx: Knex, work: (trx: Knex) => Promise<unknown>): Promise<string[]> {
  const before = await countRows(trx);
  await trx.raw('select pg_stat_clear_snapshot()');
  const toUse = async (): Promise<Map<string, TableUse>> => {
    const { rows } = await trx.raw(READ_USE, { modes: BLOCKING });
    return new Map(rows.map((row: TableUse) => [row.table, { ...row, rows: before.get(row.table) ?? 0 }]));
  };
  const start = await toUse();
  await work(trx);
  return [...(await toUse()).values()]
    .filter(({ table, rows }) => rows > 0 && !SMALL.includes(table))
    .flatMap(({ table, rows, read, written, isBlocked }) => {
      const isScanned = read - (start.get(table)?.read ?? 0) >= rows;
      const isRewritten = written - (start.get(table)?.written ?? 0) >= rows;
      return [
        ...(isScanned && isBlocked ? [`${table} is read while its writers wait`] : []),
        ...(isRewritten ? [`all rows of ${table} are written in one transaction`] : []),
      ];
    });
}

class Undo extends Error {}

/** Runs the work on the filled database and undoes it. */
const tryOut = async (work: (trx: Knex.Transaction) => Promise<string[]>): Promise<string[]> => {
  let found: string[] = [];
  await app.jobsDb
    .transaction(async (trx) => {
      found = await work(trx);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return found;
};

const loadMigration = (name: string): Promise<{ config?: { transaction?: boolean } }> =>
  import(join(import.meta.dirname, '../../migrations', name));

/** Constraints that were added NOT VALID, and that no migration has validated. */
const listUnvalidated = async (): Promise<string[]> => {
  const { rows } = await app.db.raw(
    "select conrelid::regclass || '.' || conname as name from pg_constraint where not convalidated order by 1",
  );
  return rows.map(({ name }: { name: string }) => name);
};

const newer = (await listMigrationNames()).filter((name) => name > BASELINE);

test('no migration makes writers wait while it reads or writes all rows of a big table', async () => {
  await migrateDown({ url: app.config.databaseDirectUrl }, newer.length);
  const problems: string[] = [];
  // each in its own transaction, as for operators: the locks of one end before the next
  for (const name of newer)
    await app.jobsDb.transaction(async (trx) => {
      const { config } = await loadMigration(name);
      const apply = () => applyInTransaction(trx, [name]);
      // an index that is built concurrently (test/migrations/indexes.test.ts)
      if (config?.transaction === false) await apply();
      else for (const text of await findBlockedWriters(trx, apply)) problems.push(`${name}: ${text}`);
    });
  expect(problems).toEqual([]);
});

test('no constraint stays unvalidated after the last migration', async () => {
  expect(await listUnvalidated()).toEqual([]);
});

test('people write to the big tables while the migrations run', async () => {
  await migrateDown({ url: app.config.databaseDirectUrl }, newer.length);
  const [ad, message, notification] = await Promise.all(
    ['ads', 'messages', 'notifications'].map((table) => app.db(table).orderBy('id').first<{ id: string }>('id')),
  );
  let isRunning = true;
  // their sessions wait for a lock for two seconds at most, like those of requests
  const write = async (sql: string, id: string) => {
    while (isRunning) await app.db.raw(sql, { id });
  };
  const writers = [
    write('update ads set title = title where id = :id', ad!.id),
    write('update messages set is_read = is_read where id = :id', message!.id),
    write('update notifications set is_read = is_read where id = :id', notification!.id),
  ];
  const migrated = migrateUp({ url: app.config.databaseDirectUrl }).finally(() => {
    isRunning = false;
  });
  expect((await migrated).length).toBe(newer.length);
  await Promise.all(writers);
});

describe('the rule', () => {
  const find = (...sql: string[]) =>
    tryOut((trx) =>
      findBlockedWriters(trx, async () => {
        for (const statement of sql) await trx.raw(statement);
      }),
    );

  test.each([
    'alter table ads add constraint new_check check (length(title) < 1000)',
    'alter table ads add constraint new_check check (length(title) < 1000) not valid; alter table ads validate constraint new_check',
    "alter table notifications drop constraint notifications_kind_check; alter table notifications add constraint notifications_kind_check check (kind <> 'new')",
    'alter table favorites alter created_at type text',
    'alter table ads add rank int default 1; alter table ads alter rank set not null',
    'alter table ads add token uuid not null default gen_random_uuid()',
    'alter table favorites add constraint again foreign key (user_id) references users (id)',
    'create index again on messages (content)',
    'lock table ads in share mode; update ads set title = title',
    'update messages set content = content',
  ])('refuses "%s"', async (sql) => {
    expect(await find(sql)).not.toEqual([]);
  });

  test.each([
    'alter table ads add constraint new_check check (length(title) < 1000) not valid',
    "alter table notifications drop constraint notifications_kind_check; alter table notifications add constraint notifications_kind_check check (kind <> 'new') not valid",
    'alter table ads add token uuid',
    "alter table ads add kind text not null default 'other'",
    'create table fresh (id bigint primary key, user_id bigint references users); create index on fresh (user_id)',
    "update settings set value = value; update categories set name = name || '!'",
  ])('accepts "%s"', async (sql) => {
    expect(await find(sql)).toEqual([]);
  });

  test('accepts a constraint that a later transaction validates', async () => {
    await app.db.raw('alter table ads add constraint later_check check (length(title) < 1000) not valid');
    expect(await listUnvalidated()).toEqual(['ads.later_check']);
    expect(await find('alter table ads validate constraint later_check')).toEqual([]);
    await app.db.raw('alter table ads drop constraint later_check');
  });
});
