import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { installQueue } from '../jobs/queue.ts';
import { fromDatabaseError } from './errors.ts';
import { clientConfig } from './pools.ts';
import { setRoleDefaults } from './role-defaults.ts';
import { findNewer, UnknownSchema } from './schema-state.ts';

/** Any constant will do, as long as every release uses the same. */
const MIGRATION_LOCK = 7_245_091;
const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface MigrateOptions {
  /** A direct connection: session locks do not survive a transaction pooler. */
  url: string;
  /** Milliseconds to wait for another migrating process. Default 10 minutes. */
  wait?: number;
  /** Milliseconds to wait for a database that does not answer yet. Default 0: a mistyped address is told at once. */
  waitForDatabase?: number;
  directory?: string;
  onWait?: (holder: string) => void;
  onAway?: (error: Error) => void;
  /** The schema is that of a newer release: these are its migrations. */
  onNewer?: (names: string[]) => void;
  /** Requests reach this database through a transaction pooler. */
  isPooled?: boolean;
}

export interface MigrationStatus {
  name: string;
  /** ISO 8601; null while pending. */
  appliedAt: string | null;
  /** Part of this release. */
  isKnown: boolean;
}

/** Where, and how, a configuration wants to be migrated. */
export const migrationTarget = (config: { databaseUrl: string; databaseDirectUrl: string }): MigrateOptions => ({
  url: config.databaseDirectUrl,
  isPooled: config.databaseDirectUrl !== config.databaseUrl,
});

/** Another process held the migration lock longer than we may wait. */
export class MigrationLockTimeout extends Error {}

// findNewer says what may differ from our list; Knex would refuse the schema of a newer release.
const migrationConfig = (directory = DIRECTORY): Knex.MigratorConfig => ({
  directory,
  loadExtensions: ['.ts'],
  disableMigrationsListValidation: true,
});

const openMigrator = ({ url, directory }: MigrateOptions): Knex =>
  knex({
    client: 'pg',
    connection: clientConfig({ url, name: 'tradepost migrate', statementTimeout: 0 }) as Knex.PgConnectionConfig,
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

// Polled, never blocking: a session waiting in pg_advisory_lock hangs CREATE INDEX CONCURRENTLY for ever, unseen by the
// deadlock detector. The session's end frees the lock, also after kill -9.
const acquireLock = async (client: pg.Client, { wait = 600_000, onWait }: MigrateOptions): Promise<void> => {
  const deadline = Date.now() + wait;
  for (let told = false; ; told = true) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [MIGRATION_LOCK]);
    if (rows[0]?.got) return;
    if (!told) onWait?.(await findHolder(client));
    if (Date.now() > deadline)
      throw new MigrationLockTimeout(`the migration lock is held by ${await findHolder(client)}`);
    await sleep(200 + Math.random() * 300);
  }
};

const openLockClient = async ({ url, waitForDatabase = 0, onAway }: MigrateOptions): Promise<pg.Client> => {
  const deadline = Date.now() + waitForDatabase;
  for (let told = false; ; told = true) {
    // A client that failed to connect cannot try again.
    const client = new pg.Client(clientConfig({ url, name: 'tradepost migration lock', statementTimeout: 0 }));
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (fromDatabaseError(error)?.code !== 'database_unavailable' || Date.now() >= deadline) throw error;
      if (!told) onAway?.(error as Error);
      await sleep(Math.min(1000, deadline - Date.now()));
    }
  }
};

/** Runs `work` as the only migrating process. */
const withAdvisoryLock = async <T>(
  options: MigrateOptions,
  work: (db: Knex, client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await openLockClient(options);
  const db = openMigrator(options);
  try {
    await acquireLock(client, options);
    return await work(db, client);
  } finally {
    await db.destroy();
    await client.end();
  }
};

/** The same, once a lock row left by a killed process is freed. */
const withMigrationLock = <T>(options: MigrateOptions, work: (db: Knex) => Promise<T>): Promise<T> =>
  withAdvisoryLock(options, async (db, client) => {
    if (options.isPooled) await setRoleDefaults(client);
    await db.migrate.forceFreeMigrationsLock(migrationConfig(options.directory));
    return work(db);
  });

const listApplied = async (db: Knex): Promise<{ name: string; migration_time: string }[]> => {
  const { rows } = await db.raw<{ rows: { exists: boolean }[] }>(
    "select to_regclass('knex_migrations') is not null as exists",
  );
  return rows[0]?.exists ? db('knex_migrations').select('name', 'migration_time').orderBy('id') : [];
};

/** Migrations of a newer release, if that made the schema; throws UnknownSchema where no release can have. */
const listNewer = async (db: Knex, { directory }: MigrateOptions): Promise<string[]> => {
  const applied = (await listApplied(db)).map(({ name }) => name);
  return findNewer(await listMigrationNames(directory), applied);
};

/**
 * Applies every pending migration, the job queue's own too, once, however many processes try at the same time. Returns
 * the applied names. The schema of a newer release is left as it is: this one runs on it. Throws UnknownSchema.
 */
export const migrateUp = (options: MigrateOptions): Promise<string[]> =>
  withMigrationLock(options, async (db) => {
    const newer = await listNewer(db, options);
    if (newer.length > 0) options.onNewer?.(newer);
    const [, applied] = (await db.migrate.latest()) as [number, string[]];
    await installQueue(options.url);
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

const isLockRowSet = async (db: Knex): Promise<boolean> => {
  const { rows } = await db.raw<{ rows: { exists: boolean }[] }>(
    "select to_regclass('knex_migrations_lock') is not null as exists",
  );
  return rows[0]?.exists === true && Boolean(await db('knex_migrations_lock').where({ is_locked: 1 }).first());
};

/**
 * Frees what a killed process may have left behind; returns whether it had left something. A dry run only looks. Throws
 * MigrationLockTimeout while somebody is migrating.
 */
export const unlockMigrations = (options: MigrateOptions, isDryRun = false): Promise<boolean> =>
  withAdvisoryLock({ ...options, wait: options.wait ?? 0 }, async (db) => {
    const wasLocked = await isLockRowSet(db);
    if (wasLocked && !isDryRun) await db.migrate.forceFreeMigrationsLock(migrationConfig(options.directory));
    return wasLocked;
  });

/** Every migration of this release in order; also names that only the database knows. */
export const listMigrations = async (options: MigrateOptions): Promise<MigrationStatus[]> => {
  const db = openMigrator(options);
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

/** Names of this release's migrations in order. */
export const listMigrationNames = async (directory = DIRECTORY): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.ts')).sort();
