import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seedSample } from '../seeds/sample.ts';
import { createAppContext } from '../server/app-context.ts';
import { readConfig } from '../server/config/load.ts';
import { migrateUp } from '../server/db/migrate.ts';
import { toNewerSchemaMessage } from '../server/db/schema-state.ts';
import { seedCategories } from '../server/features/categories/service.ts';
import { NODE_FLAGS } from '../server/lib/node-flags.ts';
import { lockDataDir } from './lock.ts';
import { startPostgres } from './postgres/postgres.ts';
import { startXSimulator, type XSimulator, type XSimulatorOptions } from './x-simulator/server.ts';

const ROOT = join(import.meta.dirname, '..');

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
    startXSimulatorOnce(options, address, stack),
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

/** Brings the server's database to this checkout's state: migrations and seeds. Running it again changes nothing. */
export const prepareDatabase = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const onNewer = (names: string[]) => process.stderr.write(`${toNewerSchemaMessage(names)}\n`);
  await migrateUp({ url: config.databaseDirectUrl, onNewer });
  const app = createAppContext(config);
  try {
    const categories = await readFile(new URL('../seeds/categories.json', import.meta.url), 'utf8');
    await seedCategories(app, JSON.parse(categories));
    if (!config.isProduction) await seedSample(app);
  } finally {
    await app.close();
  }
};

const COMPILED = join(import.meta.dirname, '../.cache/node');

/** What the server, and marketctl beside it, are told in a checkout, unless the operator says otherwise. */
export const developmentEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  NODE_ENV: 'development',
  SESSION_KEYS: readOrCreateSecret(dataDir, 'session-key'),
  TOKEN_ENC_KEY: readOrCreateSecret(dataDir, 'token-key'),
  AUTH_TEST_USERS: 'on',
  IMAGE_DIR: join(dataDir, 'images'),
  CACHE_DIR: join(dataDir, 'cache'),
  SHUTDOWN_DELAY: '0s',
  // Types are stripped once, not at every start: half the time and 20 MB less.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || COMPILED,
});

// The addresses of avatars and posts, which the database keeps, hold the port: the same one is taken again if it is free.
const startOnOldPort = async (dataDir: string, options: Omit<XSimulatorOptions, 'port'>): Promise<XSimulator> => {
  const file = join(dataDir, 'x-sandbox-port');
  const old = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const sandbox = await startXSimulator({ ...options, port: old }).catch(() =>
    startXSimulator({ ...options, port: 0 }),
  );
  writeFileSync(file, new URL(sandbox.url).port);
  return sandbox;
};

interface SandboxOptions {
  dataDir: string;
  xSandbox: boolean;
}

/** Starts the stand-in for X and says what the server must know of it; nothing where the server speaks to the real X. */
export const startXSimulatorOnce = async (
  { dataDir, xSandbox }: SandboxOptions,
  address: string,
  stack: Stack,
): Promise<NodeJS.ProcessEnv> => {
  if (!xSandbox) return {};
  const client = { clientId: 'sandbox-tradepost', clientSecret: readOrCreateSecret(dataDir, 'x-sandbox-secret') };
  const sandbox = await startOnOldPort(dataDir, {
    ...client,
    host: '127.0.0.1',
    redirectUris: [new URL('/api/auth/twitter/callback', address).href],
    stateFile: join(dataDir, 'x-sandbox.json'),
  });
  stack.add(sandbox.close);
  return {
    X_MODE: 'sandbox',
    X_SANDBOX_URL: sandbox.url,
    X_CLIENT_ID: client.clientId,
    X_CLIENT_SECRET: client.clientSecret,
  };
};

/** A random secret that is made once and kept in `dataDir`, so that people stay signed in over a restart. */
export const readOrCreateSecret = (dataDir: string, name: string): string => {
  const path = join(dataDir, name);
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(path, 'utf8').trim();
};

export interface ServerOptions {
  root: string;
  env: NodeJS.ProcessEnv;
  /** Where its log goes; undefined means: to our own output. */
  logFile: string | undefined;
}

/** Starts server/main.ts as a process that ends with us, but does not get our Ctrl-C: it is stopped before its database. */
export const spawnServer = ({ root, env, logFile }: ServerOptions): ChildProcess => {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const preload = new URL('die-with-parent.ts', import.meta.url).href;
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', preload, join(root, 'server/main.ts')], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  if (typeof log === 'number') closeSync(log);
  return child;
};

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** Resolves when the server says that it is ready; throws if it ends before. */
export const waitUntilReady = async (child: ChildProcess, address: string): Promise<void> => {
  while (!(await answers(new URL('/readyz', address).href))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended at once (${child.signalCode ?? `exit code ${child.exitCode}`}).`);
    await sleep(25);
  }
};

export const stopServer = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** What `make start` is told by its environment. */
export interface StartSettings {
  port: number;
  host: string;
  dataDir: string;
  /** A PostgreSQL of the operator's own; undefined means the embedded one. */
  databaseUrl: string | undefined;
  /** Whether the sandbox stands in for X. */
  xSandbox: boolean;
}

const readPort = (value: string): number => {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT is "${value}", but must be a whole number from 0 to 65535 (0 picks a free one).`);
  return port;
};

export const readSettings = (env: NodeJS.ProcessEnv): StartSettings => ({
  port: readPort(env.PORT || '8080'),
  // Loopback: development signs in anybody who asks. HOST=0.0.0.0 opens it to the network.
  host: env.HOST || '127.0.0.1',
  dataDir: env.DATA_DIR ? resolve(env.DATA_DIR) : join(ROOT, 'data'),
  databaseUrl: env.DATABASE_URL || undefined,
  xSandbox: (env.X_MODE || 'sandbox') === 'sandbox',
});

const run = promisify(execFile);

const SOURCES = ['web', 'contract', 'package-lock.json'];
const STAMP = '.cache/web-build';
const OUTPUT = 'web/dist';

const listFiles = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(path, 'dist')))
    .map((entry) => join(entry.parentPath, entry.name));
};

/** Changes with every file's name, size and time: reading the contents would cost a warm start ten times as much. */
const describeSources = (root: string): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => listFiles(join(root, source))).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

/** Builds the pages if their sources changed since the last build. Returns whether it did. */
export const buildWeb = async (root: string): Promise<boolean> => {
  const stamp = join(root, STAMP);
  const sources = describeSources(root);
  const isFresh = existsSync(join(root, OUTPUT)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  if (isFresh) return false;
  await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  }).catch((error: { stderr?: string }) => {
    throw new Error(`The pages could not be built:\n${error.stderr ?? error}`);
  });
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stamp, sources);
  return true;
};

/** What was started, to be stopped in the opposite order. */
export interface Stack {
  add: (stop: () => unknown) => void;
  stop: () => Promise<void>;
}

export const createStack = (): Stack => {
  const stops: (() => unknown)[] = [];
  return {
    add: (stop) => void stops.push(stop),
    stop: async () => {
      for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
    },
  };
};

const tryPort = async (host: string, port: number): Promise<number> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return taken;
};

const explain = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} make start`);
  if (error.code === 'EACCES') return new Error(`Port ${port} is for root only. Choose another: PORT=8080 make start`);
  return new Error(`Cannot listen on ${host}, port ${port}: ${error.message}`);
};

const PATIENCE = 2_000;

/** A port to listen on: `port` itself, or a free one for 0. What an earlier run left needs a moment to go. Throws a sentence. */
export const findFreePort = async (host: string, port: number): Promise<number> => {
  for (const end = Date.now() + PATIENCE; ; await sleep(100)) {
    try {
      return await tryPort(host, port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > end)
        throw explain(error as NodeJS.ErrnoException, host, port);
    }
  }
};
