import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { X_SIGN_IN } from '../contract/auth.ts';
import { seedSample } from '../seeds/sample.ts';
import { SAMPLE_USERS, type SampleUser } from '../seeds/sample-users.ts';
import { createAppContext } from '../server/app-context.ts';
import { readConfig } from '../server/config/load.ts';
import { migrateUp, toNewerSchemaMessage } from '../server/db/migrate.ts';
import { seedCategories } from '../server/features/categories/service.ts';
import { loadMissingPlaces } from '../server/features/places/service.ts';
import { lockDataDir } from './lock.ts';
import { type Mailbox, startMailbox } from './mailbox/server.ts';
import { findFreePort } from './ports.ts';
import { startPostgres } from './postgres/postgres.ts';
import { spawnServer, stopServer, waitUntilReady } from './server-process.ts';
import { developmentEnvironment, ROOT, readOrCreateSecret, type StartSettings } from './settings.ts';
import { buildWeb } from './web-build.ts';
import { startXSimulator } from './x-simulator/server.ts';
import { Persona, type State } from './x-simulator/state.ts';

export interface StartOptions extends StartSettings {
  env: NodeJS.ProcessEnv;
  /** False is faster but unsafe after a crash: for tests only. Default true. */
  durable?: boolean;
  skipWeb?: boolean;
  /** Writes the server's log to our own output instead of `dataDir`/server.log. */
  logHere?: boolean;
  /**
   * Set inside the container of deploy/compose/compose.try.yml: the X simulator listens on this port, which is published on
   * loopback only. There is no mailbox.
   */
  containerSandboxPort?: number | undefined;
  say: (message: string) => void;
  /** Aborting it stops everything that was started, and `ended` resolves. */
  signal: AbortSignal;
}

export interface Marketplace {
  address: string;
  serverUrl: string;
  sandboxUrl: string | undefined;
  /** The page with the mails that were sent. Undefined if a mail server is configured. */
  mailboxUrl: string | undefined;
  databaseUrl: string;
  /** The environment of its server. */
  env: NodeJS.ProcessEnv;
  /** The directory of PostgreSQL's data if it is outside of DATA_DIR. */
  movedTo: string | undefined;
  /** Resolves when the server ends, by itself or after an abort. */
  ended: Promise<unknown>;
  stop: () => Promise<void>;
}

const openDatabase = async (
  options: StartOptions,
  stack: AsyncDisposableStack,
): Promise<{ url: string; movedTo?: string | undefined }> => {
  const { databaseUrl, dataDir, durable, say } = options;
  if (databaseUrl) return { url: databaseUrl };
  const postgres = await startPostgres({ dataDir, durable, onEvent: say });
  stack.defer(postgres.stop);
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

// A request cannot be sent to 0.0.0.0 or ::, and an IPv6 address needs brackets.
const toReachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

const prepareDatabase = async (env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> => {
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const onNewer = (names: string[]) => process.stderr.write(`${toNewerSchemaMessage(names)}\n`);
  await migrateUp({ url: config.databaseDirectUrl, onNewer });
  const app = createAppContext(config);
  try {
    const categories = await readFile(new URL('../seeds/categories.json', import.meta.url), 'utf8');
    await seedCategories(app, JSON.parse(categories));
    await loadMissingPlaces(app, signal);
    if (!config.isProduction) await seedSample(app);
  } finally {
    await app.close();
  }
};

/**
 * Uses the port of the last start if it is free: the database contains URLs of the simulator's avatars and posts, and
 * a browser may still show the mailbox.
 */
const startOnSamePort = async <S extends { url: string }>(
  file: string,
  startOn: (port: number) => Promise<S>,
): Promise<S> => {
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const started = await startOn(port).catch(() => startOn(0));
  writeFileSync(file, new URL(started.url).port);
  return started;
};

/** Adds the sample users to the people as whom a visitor of the X simulator can sign in. They are listed first. */
const addSamplePersonas = ({ personas }: State): void => {
  const known = new Set(personas.map(({ id }) => id));
  const missing = Object.values(SAMPLE_USERS).filter(({ id }) => !known.has(id));
  personas.unshift(
    ...missing.map(({ id, username, displayName, isVerified = false, isPremium }: SampleUser) =>
      Persona.parse({
        id,
        username,
        name: displayName,
        verified: isVerified,
        verifiedType: isVerified ? 'blue' : 'none',
        subscription: isPremium ? 'Premium' : 'None',
      }),
    ),
  );
};

/** Starts the X simulator and returns the server's settings for it. Returns none if the server uses the real X. */
const startSandbox = async (
  { dataDir, xSandbox, containerSandboxPort }: StartOptions,
  address: string,
  stack: AsyncDisposableStack,
): Promise<NodeJS.ProcessEnv> => {
  if (!xSandbox) return {};
  const client = { clientId: 'sandbox-tradepost', clientSecret: readOrCreateSecret(dataDir, 'x-sandbox-secret') };
  const startOn = (port: number) =>
    startXSimulator({
      ...client,
      port,
      host: '127.0.0.1',
      isContained: containerSandboxPort !== undefined,
      redirectUris: [new URL(X_SIGN_IN.callback, address).href],
      stateFile: join(dataDir, 'x-sandbox.json'),
    });
  const sandbox = await (containerSandboxPort === undefined
    ? startOnSamePort(join(dataDir, 'x-sandbox-port'), startOn)
    : startOn(containerSandboxPort));
  stack.defer(sandbox.close);
  addSamplePersonas(sandbox.state);
  return {
    X_MODE: 'sandbox',
    X_SANDBOX_URL: sandbox.url,
    X_CLIENT_ID: client.clientId,
    X_CLIENT_SECRET: client.clientSecret,
  };
};

/** Starts the local mailbox unless the operator has a mail server. */
const openMailbox = async (
  { dataDir, env, containerSandboxPort }: StartOptions,
  stack: AsyncDisposableStack,
): Promise<Mailbox | undefined> => {
  if (env.SMTP_URL || env.SMTP_URL_FILE || env.NODE_ENV === 'production') return undefined;
  if (containerSandboxPort !== undefined) return undefined;
  const directory = join(dataDir, 'mailbox');
  const mailbox = await startOnSamePort(join(dataDir, 'mailbox-port'), (port) => startMailbox({ port, directory }));
  stack.defer(mailbox.close);
  return mailbox;
};

const startAll = async (options: StartOptions, stack: AsyncDisposableStack): Promise<Omit<Marketplace, 'stop'>> => {
  const port = await findFreePort(options.host, options.port);
  const address = options.env.PUBLIC_URL || `http://localhost:${port}`;
  const lock = lockDataDir(options.dataDir, 'start');
  stack.defer(lock.release);
  const build = options.skipWeb ? undefined : buildWeb(ROOT);
  const [database, sandbox, mailbox] = await Promise.all([
    openDatabase(options, stack),
    startSandbox(options, address, stack),
    openMailbox(options, stack),
    build,
  ]);
  options.signal.throwIfAborted();
  const mail = mailbox && { SMTP_URL: mailbox.smtpUrl };
  lock.share({ databaseUrl: database.url, env: { PUBLIC_URL: address, ...mail } });
  const env = { ...serverEnvironment(options, port, address), ...sandbox, ...mail, DATABASE_URL: database.url };
  await prepareDatabase(env, options.signal);
  // The listener below would miss an abort that has already happened.
  options.signal.throwIfAborted();
  const child = spawnServer({
    root: ROOT,
    env,
    logFile: options.logHere ? undefined : join(options.dataDir, 'server.log'),
  });
  stack.defer(() => stopServer(child));
  const ended = once(child, 'exit');
  options.signal.addEventListener('abort', () => void stopServer(child));
  const serverUrl = `http://${toReachable(options.host)}:${port}`;
  await waitUntilReady(child, serverUrl);
  return {
    address,
    serverUrl,
    sandboxUrl: sandbox.X_SANDBOX_URL,
    mailboxUrl: mailbox?.url,
    databaseUrl: database.url,
    env,
    movedTo: database.movedTo,
    ended,
  };
};

/** Starts a complete marketplace on this machine. If a part fails, stops the parts already started and throws. */
export const startMarketplace = async (options: StartOptions): Promise<Marketplace> => {
  const stack = new AsyncDisposableStack();
  try {
    return { ...(await startAll(options, stack)), stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
};
