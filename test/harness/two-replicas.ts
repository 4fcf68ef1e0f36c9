import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { findFreePort } from '../../local/ports.ts';
import { type AppContext, createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import type { SessionKind } from '../../server/features/sessions/session-repository.ts';
import { createLog } from '../../server/observability/log.ts';
import { type Client, createClient } from './client.ts';
import { createTestDatabase } from './database.ts';
import { openSession } from './sessions.ts';

const MAIN = join(import.meta.dirname, '../../server/main.ts');

type Pair<T> = readonly [T, T];

export interface Replicas {
  /** A third app on the same database, for factories and inspection. It serves no requests. */
  app: AppContext;
  urls: Pair<string>;
  anonymous: Pair<Client>;
  signIn(userId: string, kind?: SessionKind): Promise<Pair<Client>>;
}

async function startServer(env: Record<string, string>): Promise<string> {
  const port = await findFreePort('127.0.0.1', 0);
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...env, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`A replica ended with ${child.exitCode} before it was ready`);
    await sleep(50);
  }
  return url;
}

/**
 * Starts two server processes on one database. `each` overrides their settings. Both are removed after the file's
 * tests.
 */
export async function startReplicas(
  env: Record<string, string> = {},
  each: Pair<Record<string, string>> = [{}, {}],
): Promise<Replicas> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-replicas-'));
  const common = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.directUrl,
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'error',
    ...env,
  };
  const app = createAppContext(readConfig({ ...common, CACHE_DIR: join(directory, 'none') }), {
    log: createLog('silent'),
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  const [first, second] = await Promise.all([
    startServer({ ...common, CACHE_DIR: join(directory, 'first'), ...each[0] }),
    startServer({ ...common, CACHE_DIR: join(directory, 'second'), ...each[1] }),
  ]);
  const clients = (headers?: Record<string, string>): Pair<Client> => [
    createClient(first, headers),
    createClient(second, headers),
  ];
  return {
    app,
    urls: [first, second],
    anonymous: clients(),
    signIn: async (userId, kind) => clients({ Cookie: await openSession(app, userId, kind) }),
  };
}
