import { once } from 'node:events';
import { join } from 'node:path';
import { lockDataDir } from '../lock.ts';
import { startPostgres } from '../postgres.ts';
import { prepareDatabase } from './database.ts';
import { developmentEnvironment } from './environment.ts';
import { findFreePort } from './free-port.ts';
import { openSandbox } from './sandbox.ts';
import { spawnServer, stopServer, waitUntilReady } from './server.ts';
import type { StartSettings } from './settings.ts';
import { createStack, type Stack } from './stack.ts';
import { buildWeb } from './web-build.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface StartOptions extends StartSettings {
  env: NodeJS.ProcessEnv;
  /** False trades safety of the data for speed: for tests. Default true. */
  durable?: boolean;
  /** True where somebody else serves the pages: Vite, in `make dev`. */
  skipWeb?: boolean;
  /** The server's log goes to our own output instead of `dataDir`/server.log. */
  logHere?: boolean;
  say: (message: string) => void;
  /** Ends it: what has been started is stopped, `ended` resolves. */
  signal: AbortSignal;
}

export interface Marketplace {
  /** The address people use. */
  address: string;
  /** The server's own. */
  serverUrl: string;
  sandboxUrl: string | undefined;
  databaseUrl: string;
  /** Where PostgreSQL's data are, if not below DATA_DIR. */
  movedTo: string | undefined;
  /** Resolves when the server ends, by itself or by the signal. */
  ended: Promise<unknown>;
  stop: () => Promise<void>;
}

const openDatabase = async (
  options: StartOptions,
  stack: Stack,
): Promise<{ url: string; movedTo?: string | undefined }> => {
  const { databaseUrl, dataDir, durable, say } = options;
  if (databaseUrl) return { url: databaseUrl };
  const postgres = await startPostgres({ dataDir, durable, onEvent: say });
  stack.add(postgres.stop);
  return { url: postgres.url, movedTo: postgres.movedTo };
};

const serverEnvironment = (options: StartOptions, port: number, address: string): NodeJS.ProcessEnv => ({
  ...developmentEnvironment(options.dataDir),
  ...(options.xSandbox && { X_POSTING: 'api' }),
  ...options.env,
  PORT: String(port),
  HOST: options.host,
  PUBLIC_URL: address,
});

// "Every address" is none that a request could be sent to; IPv6 wants brackets.
const reachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

const startAll = async (options: StartOptions, stack: Stack): Promise<Omit<Marketplace, 'stop'>> => {
  const port = await findFreePort(options.host, options.port);
  const address = options.env.PUBLIC_URL || `http://localhost:${port}`;
  const lock = lockDataDir(options.dataDir, 'start');
  stack.add(lock.release);
  const build = options.skipWeb ? undefined : buildWeb(ROOT);
  const [database, sandbox] = await Promise.all([
    openDatabase(options, stack),
    openSandbox(options, address, stack),
    build,
  ]);
  options.signal.throwIfAborted();
  lock.shareDatabase(database.url);
  const env = { ...serverEnvironment(options, port, address), ...sandbox, DATABASE_URL: database.url };
  await prepareDatabase(env);
  const child = spawnServer({
    root: ROOT,
    env,
    logFile: options.logHere ? undefined : join(options.dataDir, 'server.log'),
  });
  stack.add(() => stopServer(child));
  const ended = once(child, 'exit');
  options.signal.addEventListener('abort', () => void stopServer(child));
  const serverUrl = `http://${reachable(options.host)}:${port}`;
  await waitUntilReady(child, serverUrl);
  return {
    address,
    serverUrl,
    sandboxUrl: sandbox.X_SANDBOX_URL,
    databaseUrl: database.url,
    movedTo: database.movedTo,
    ended,
  };
};

/** Starts a whole marketplace on this machine. Where any part fails, the parts already started are stopped, then it throws. */
export const startMarketplace = async (options: StartOptions): Promise<Marketplace> => {
  const stack = createStack();
  try {
    return { ...(await startAll(options, stack)), stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
};
