import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../local/postgres/postgres.ts';

export interface PostgresServer {
  /** Its role may create databases and our extensions. */
  url: string;
  /** Names the server and the reason for choosing it, for the log. */
  description: string;
  close: () => Promise<void>;
}

// The oldest supported version is TEST_POSTGRES_IMAGE=postgres:15.
const IMAGE = process.env.TEST_POSTGRES_IMAGE || 'postgres:17';

const mayHaveDocker = (): boolean =>
  Boolean(process.env.DOCKER_HOST) ||
  [
    '/var/run/docker.sock',
    `${process.env.XDG_RUNTIME_DIR}/docker.sock`,
    `${process.env.HOME}/.docker/run/docker.sock`,
  ].some(existsSync);

const startContainer = async (): Promise<PostgresServer> => {
  // The reaper needs another image, and this code stops the container itself.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const { Wait } = await import('testcontainers');
  const container = await new PostgreSqlContainer(IMAGE)
    .withEnvironment({ POSTGRES_INITDB_ARGS: '--locale=C.UTF-8 --locale-provider=icu --icu-locale=und' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'])
    // The default health check runs a process in the container four times a second for the whole run.
    .withHealthCheck({ test: ['CMD', 'true'], interval: 3_600_000 })
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .start();
  return {
    url: container.getConnectionUri(),
    description: `Testcontainers (${IMAGE})`,
    close: async () => void (await container.stop()),
  };
};

const startEmbedded = async (reason: string): Promise<PostgresServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-test-'));
  // Readable by the unprivileged user that runs root's PostgreSQL. The data directory inside is private.
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, durable: false, onEvent: (message) => console.error(message) });
  return {
    url: postgres.url,
    description: `the embedded one (${reason})`,
    close: async () => {
      await postgres.stop();
      for (const path of [dataDir, postgres.movedTo]) if (path) rmSync(path, { recursive: true, force: true });
    },
  };
};

/** Uses TEST_DATABASE_URL, or else Testcontainers if Docker is running, or else the embedded PostgreSQL. */
export const openPostgresServer = async (): Promise<PostgresServer> => {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, description: 'TEST_DATABASE_URL', close: async () => {} };
  if (!process.env.TEST_POSTGRES_IMAGE && !mayHaveDocker())
    return startEmbedded('no Docker here, no TEST_DATABASE_URL');
  try {
    return await startContainer();
  } catch (error) {
    // A requested version must not be replaced by another.
    if (process.env.TEST_POSTGRES_IMAGE) throw error;
    return startEmbedded(`Docker did not start ${IMAGE}: ${(error as Error).message.split('\n')[0]}`);
  }
};
