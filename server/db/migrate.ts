import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runMigrations } from 'graphile-worker';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { fromDatabaseError } from './errors.ts';
import { clientConfig, type Db, SESSION_SETTINGS, withQueuePool } from './pools.ts';

/** Every release must use the same number. */
const MIGRATION_LOCK = 7_245_091;
const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface MigrateOptions {
  /** A direct connection: session locks do not survive a transaction pooler. */
  url: string;
  wait?: number;
  /** Milliseconds to wait for a database that does not respond. Default 0: an incorrect URL fails immediately. */
  waitForDatabase?: number;
  directory?: string;
  onWait?: (holder: string) => void;
  onAway?: (error: Error) => void;
  onNewer?: (names: string[]) => void;
  isPooled?: boolean;
}

export interface MigrationStatus {
  name: string;
  /** ISO 8601; null while pending. */
  appliedAt: string | null;
  isKnown: boolean;
}

export const migrationTarget = (config: { databaseUrl: string; databaseDirectUrl: string }): MigrateOptions => ({
  url: config.databaseDirectUrl,
  isPooled: config.databaseDirectUrl !== config.databaseUrl,
});

/** Another process held the migration lock for longer than `wait`. */
export class MigrationLockTimeout extends Error {}

// findNewer validates the list; Knex would refuse the schema of a newer release.
const migrationConfig = (directory = DIRECTORY): Knex.MigratorConfig => ({
  directory,
  loadExtensions: ['.ts'],
  disableMigrationsListValidation: true,
});

const MIGRATOR_NAME = 'tradepost migrate';

const createMigrator = ({ url, directory }: MigrateOptions): Knex =>
  knex({
    client: 'pg',
    connection: clientConfig({ url, name: MIGRATOR_NAME, statementTimeout: 0 }) as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
    migrations: migrationConfig(directory),
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });

const findHolder = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ holder: string }>(
    `select format('pid %s (%s, since %s)', a.pid, a.application_name, a.backend_start::timestamp(0)) as holder
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [MIGRATION_LOCK],
  );
  return rows[0]?.holder ?? 'another process';
};

// Polls instead of blocking: a session that waits in pg_advisory_lock blocks CREATE INDEX CONCURRENTLY forever, and the
// deadlock detector does not see it. The lock is released when the session ends, also after kill -9.
const acquireLock = async (client: pg.Client, { wait = 600_000, onWait }: MigrateOptions): Promise<void> => {
  const deadline = Date.now() + wait;
  for (let isReported = false; ; isReported = true) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [MIGRATION_LOCK]);
    if (rows[0]?.got) return;
    if (!isReported) onWait?.(await findHolder(client));
    if (Date.now() > deadline)
      throw new MigrationLockTimeout(`the migration lock is held by ${await findHolder(client)}`);
    await sleep(200 + Math.random() * 300);
  }
};

/**
 * Waits for the other session of a killed process. It may outlive the lock until it notices that its client is gone, and
 * still commit the migration that it runs.
 */
const waitForAbandonedSession = async (client: pg.Client, { wait = 600_000 }: MigrateOptions): Promise<void> => {
  // a session that only lists migrations ends soon
  const deadline = Date.now() + Math.max(wait, 5000);
  for (;;) {
    const { rowCount } = await client.query(
      'select from pg_stat_activity where application_name = $1 and datname = current_database()',
      [MIGRATOR_NAME],
    );
    if (rowCount === 0) return;
    if (Date.now() > deadline) throw new MigrationLockTimeout('a session of another process is still migrating');
    await sleep(100);
  }
};

const connectForLock = async ({ url, waitForDatabase = 0, onAway }: MigrateOptions): Promise<pg.Client> => {
  const deadline = Date.now() + waitForDatabase;
  for (let isReported = false; ; isReported = true) {
    // A client that failed to connect cannot connect again.
    const client = new pg.Client(clientConfig({ url, name: 'tradepost migration lock', statementTimeout: 0 }));
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (fromDatabaseError(error)?.code !== 'database_unavailable' || Date.now() >= deadline) throw error;
      if (!isReported) onAway?.(error as Error);
      await sleep(Math.min(1000, deadline - Date.now()));
    }
  }
};

const withAdvisoryLock = async <T>(
  options: MigrateOptions,
  work: (db: Knex, client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await connectForLock(options);
  const db = createMigrator(options);
  try {
    await acquireLock(client, options);
    await waitForAbandonedSession(client, options);
    return await work(db, client);
  } finally {
    await db.destroy();
    await client.end();
  }
};

/** Runs `work` as the only migrating process, after deleting the lock row that a killed process left. */
const withMigrationLock = <T>(options: MigrateOptions, work: (db: Knex) => Promise<T>): Promise<T> =>
  withAdvisoryLock(options, async (db, client) => {
    if (options.isPooled) await setRoleDefaults(client);
    await db.migrate.forceFreeMigrationsLock(migrationConfig(options.directory));
    return work(db);
  });

const listApplied = async (db: Knex): Promise<{ name: string; migration_time: string }[]> =>
  (await db.schema.hasTable('knex_migrations'))
    ? db('knex_migrations').select('name', 'migration_time').orderBy('id')
    : [];

const listNewer = async (db: Knex, { directory }: MigrateOptions): Promise<string[]> => {
  const applied = (await listApplied(db)).map(({ name }) => name);
  return findNewer(await listMigrationNames(directory), applied);
};

/**
 * Applies each pending migration in a transaction that records it, too. Knex's `latest` records outside of it as soon as
 * one pending migration runs without a transaction: a process killed in between would repeat a committed migration.
 */
const applyOneByOne = async (db: Knex): Promise<string[]> => {
  const applied: string[] = [];
  for (;;) {
    const [, names] = (await db.migrate.up()) as [number, string[]];
    if (names.length === 0) return applied;
    applied.push(...names);
  }
};

/**
 * Applies every pending migration and those of the job queue exactly once, even if several processes call it
 * concurrently. Returns the applied names. Leaves the schema of a newer release unchanged, because this release can
 * run on it. Throws UnknownSchema.
 */
export const migrateUp = (options: MigrateOptions): Promise<string[]> =>
  withMigrationLock(options, async (db) => {
    const newer = await listNewer(db, options);
    if (newer.length > 0) options.onNewer?.(newer);
    const applied = await applyOneByOne(db);
    await withQueuePool({ url: options.url, poolMax: 1 }, (pgPool) => runMigrations({ pgPool }));
    return applied;
  });

/** Reverts the last `steps` migrations, newest first. Returns their names. Throws UnknownSchema. */
export const migrateDown = (options: MigrateOptions, steps = 1): Promise<string[]> =>
  withMigrationLock(options, async (db) => {
    const newer = await listNewer(db, options);
    if (newer.length > 0)
      throw new UnknownSchema(`A newer release brought ${newer.join(', ')}: only it can revert that.`);
    const reverted: string[] = [];
    for (let i = 0; i < steps; i++) {
      const [, names] = (await db.migrate.down()) as [number, string[]];
      reverted.push(...names);
    }
    return reverted;
  });

const isLockRowSet = async (db: Knex): Promise<boolean> =>
  (await db.schema.hasTable('knex_migrations_lock')) &&
  Boolean(await db('knex_migrations_lock').where({ is_locked: 1 }).first());

/**
 * Deletes the lock row that a killed process may have left; returns whether there was one. A dry run deletes nothing.
 * Throws MigrationLockTimeout while another process is migrating.
 */
export const unlockMigrations = (options: MigrateOptions, isDryRun = false): Promise<boolean> =>
  withAdvisoryLock({ ...options, wait: options.wait ?? 0 }, async (db) => {
    const wasLocked = await isLockRowSet(db);
    if (wasLocked && !isDryRun) await db.migrate.forceFreeMigrationsLock(migrationConfig(options.directory));
    return wasLocked;
  });

export const listMigrations = async (options: MigrateOptions): Promise<MigrationStatus[]> => {
  const db = createMigrator(options);
  try {
    const applied = await listApplied(db);
    const known = await listMigrationNames(options.directory);
    const pending = known.filter((name) => !applied.some((row) => row.name === name));
    return [
      ...applied.map(({ name, migration_time }) => ({
        name,
        appliedAt: migration_time,
        isKnown: known.includes(name),
      })),
      ...pending.map((name) => ({ name, appliedAt: null, isKnown: true })),
    ];
  } finally {
    await db.destroy();
  }
};

export const listMigrationNames = async (directory = DIRECTORY): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.ts')).sort();

/** The database's migrations are neither those of this release nor those of a newer one. */
export class UnknownSchema extends Error {}

/**
 * The applied migrations that a newer release added. `known` are the sorted migrations of this release. Throws
 * UnknownSchema if an unknown migration sorts before the last known one, or if a known one is missing before it.
 */
export function findNewer(known: readonly string[], applied: readonly string[]): string[] {
  const newer = applied.filter((name) => !known.includes(name)).sort();
  const last = known.at(-1) ?? '';
  const foreign = newer.filter((name) => name <= last);
  if (foreign.length > 0)
    throw new UnknownSchema(
      `The database has migrations of another history than this release's: ${foreign.join(', ')}.`,
    );
  const missing = known.filter((name) => !applied.includes(name));
  if (newer.length > 0 && missing.length > 0)
    throw new UnknownSchema(`The database lacks ${missing.join(', ')}, although it has the newer ${newer.join(', ')}.`);
  return newer;
}

export const findNewerMigrations = (migrations: readonly MigrationStatus[]): string[] => {
  const toNames = (list: readonly MigrationStatus[]) => list.map(({ name }) => name);
  return findNewer(
    toNames(migrations.filter(({ isKnown }) => isKnown)).sort(),
    toNames(migrations.filter(({ appliedAt }) => appliedAt !== null)),
  );
};

export const toNewerSchemaMessage = (newer: readonly string[]): string =>
  `The schema is newer than this release, by ${newer.join(', ')}. This release runs on it: migrations only add.`;

/**
 * Makes our session settings the role's defaults in this database: a transaction pooler drops the settings of new
 * connections, and SET would change another client's session. `client` must be a direct connection.
 */
export async function setRoleDefaults(client: pg.Client): Promise<void> {
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    const { rows } = await client.query<{ sql: string }>(
      "select format('alter role current_user in database %I set %I = %L', current_database(), $1::text, $2::text) as sql",
      [name, String(value)],
    );
    await client.query(rows[0]?.sql ?? '');
  }
}

interface Migration {
  up(db: Knex): Promise<void>;
  down(db: Knex): Promise<void>;
}

/** Removes CONCURRENTLY from index statements: PostgreSQL refuses it inside a transaction. */
const withoutConcurrently = (trx: Knex.Transaction): Knex => {
  const raw = (sql: string, ...bindings: []) => trx.raw(sql.replaceAll(/\bconcurrently\b/gi, ''), ...bindings);
  return new Proxy(trx, { get: (target, key) => (key === 'raw' ? raw : Reflect.get(target, key)) });
};

const loadMigration = (name: string): Promise<Migration> => import(pathToFileURL(join(DIRECTORY, name)).href);

/**
 * Keeps other processes from migrating until `trx` ends. Throws MigrationLockTimeout while another process is
 * migrating. For a restore, which reverts and applies migrations in its own transaction, with every table empty or
 * locked.
 */
export async function lockMigrations(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { got: boolean }[] }>('select pg_try_advisory_xact_lock(?) as got', [
    MIGRATION_LOCK,
  ]);
  if (!rows[0]?.got) throw new MigrationLockTimeout('another process is migrating');
}

/** Reverts these migrations in `trx`, in the order given: newest first. */
export async function revertInTransaction(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await (await loadMigration(name)).down(withoutConcurrently(trx));
    await trx('knex_migrations').where({ name }).delete();
  }
}

/** Applies these migrations in `trx`, in the order given: oldest first. */
export async function applyInTransaction(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await (await loadMigration(name)).up(withoutConcurrently(trx));
    const batch = trx('knex_migrations').select(trx.raw('coalesce(max(batch), 0) + 1'));
    await trx('knex_migrations').insert({ name, batch, migration_time: new Date() });
  }
}

export async function findPendingMigrations(db: Db): Promise<string[]> {
  const applied = new Set<string>(await db('knex_migrations').pluck('name'));
  return (await listMigrationNames()).filter((name) => !applied.has(name));
}
