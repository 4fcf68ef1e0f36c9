import { rmSync } from 'node:fs';
import pg from 'pg';
import { choosePlace, chooseSocketDirectory } from './installation.ts';
import { createCluster, supervise } from './postmaster.ts';

const DATABASE = 'tradepost';

export interface PostgresOptions {
  /**
   * Data is stored in `dataDir`/postgres, the log in `dataDir`/postgres.log. Only one process may use it: see lock.ts.
   */
  dataDir: string;
  /** False is faster but unsafe after a crash: for tests only. Default true. */
  durable?: boolean;
  onEvent?: (message: string) => void;
}

export interface Postgres {
  /** The connection string of the database `tradepost`. It stays the same after a restart. */
  readonly url: string;
  readonly pid: number | undefined;
  readonly movedTo: string | undefined;
  stop: () => Promise<void>;
}

export const socketUrl = (socketDirectory: string, database = DATABASE): string =>
  `postgres://tradepost@localhost/${database}?host=${encodeURIComponent(socketDirectory)}`;

const createDatabase = async (socketDirectory: string): Promise<void> => {
  const client = new pg.Client({ connectionString: socketUrl(socketDirectory, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
};

/**
 * Starts PostgreSQL on `dataDir` and keeps it running. Creates the database at the first start and recovers after a
 * crash. The error message is for the operator.
 */
export const startPostgres = async ({
  dataDir,
  durable = true,
  onEvent = () => {},
}: PostgresOptions): Promise<Postgres> => {
  const place = choosePlace(dataDir);
  await createCluster(place, durable);
  const socketDirectory = chooseSocketDirectory(place);
  const supervisor = await supervise({ place, socketDirectory, durable, onEvent });
  await createDatabase(socketDirectory);
  return {
    url: socketUrl(socketDirectory),
    get pid() {
      return supervisor.pid;
    },
    movedTo: place.movedTo,
    stop: async () => {
      await supervisor.stop();
      if (socketDirectory !== place.directory) rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
};
