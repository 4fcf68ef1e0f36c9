import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type AppContext, type AppContextParts, createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import type { UserRow } from '../../server/db/rows.ts';
import type { SessionKind } from '../../server/features/sessions/session-repository.ts';
import type { Lifecycle } from '../../server/http/health.ts';
import { createSite, SERVER_OPTIONS, tuneServer } from '../../server/http/server.ts';
import { createLog } from '../../server/observability/log.ts';
import { type Client, createClient } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { insertUser } from './factories.ts';
import { openSession } from './sessions.ts';

export type Person = UserRow & { client: Client };

export interface TestApp {
  app: AppContext;
  url: string;
  lifecycle: Lifecycle;
  anonymous: Client;
  signIn(userId: string, kind?: SessionKind): Promise<Client>;
  /** Inserts a user and signs in. */
  createPerson(columns?: Partial<UserRow>): Promise<Person>;
  /**
   * Starts another server on the same database whose clock is ahead, by '49h' or '8d'. Call it outside of tests. Sessions
   * of this one may have expired there: sign in again.
   */
  openLater(clockOffset: string): Promise<TestApp>;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  parts?: AppContextParts;
  database?: TestDatabase;
  /** By how much the clock of the server and of its database sessions is ahead: '49h', '8d'. */
  clockOffset?: string;
  /** The folder of the built pages. Default: pages are not built. */
  dist?: string;
}

/**
 * Starts the whole server on a free port with its own database. Both are removed after the file's tests. Rate limits
 * are off unless RATE_LIMIT_SCALE is set. Every response is parsed with the contract.
 */
export async function openTestApp({
  env = {},
  parts = {},
  dist = '/nowhere',
  clockOffset = '0s',
  ...given
}: TestAppOptions = {}): Promise<TestApp> {
  const database = given.database ?? (await createTestDatabase());
  const server = createServer(SERVER_OPTIONS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const cacheDir = await mkdtemp(join(tmpdir(), 'tradepost-'));
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.directUrl,
    PUBLIC_URL: url,
    RATE_LIMIT_SCALE: '0',
    X_CLIENT_ID: 'test-client',
    X_CLIENT_SECRET: 'test-secret',
    LOG_LEVEL: 'silent',
    CACHE_DIR: cacheDir,
    CLOCK_OFFSET: clockOffset,
    ...env,
  });
  const app = createAppContext(config, { log: createLog(process.env.TEST_LOG_LEVEL ?? config.logLevel), ...parts });
  const lifecycle: Lifecycle = { phase: 'ready' };
  const site = await createSite(app, lifecycle, dist);
  tuneServer(server, app).on('request', site.handle);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await site.close();
    await app.close();
    await database.drop();
    await rm(cacheDir, { recursive: true, force: true });
  });
  const signIn: TestApp['signIn'] = async (userId, kind) =>
    createClient(url, { Cookie: await openSession(app, userId, kind) });
  return {
    app,
    url,
    lifecycle,
    anonymous: createClient(url),
    signIn,
    async createPerson(columns) {
      const user = await insertUser(app, columns);
      return { ...user, client: await signIn(user.id) };
    },
    openLater: (later) =>
      openTestApp({ env, parts, dist, clockOffset: later, database: { ...database, drop: async () => {} } }),
  };
}
