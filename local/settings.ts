import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** What the environment says to `make start`. */
export interface StartSettings {
  port: number;
  host: string;
  dataDir: string;
  /** The operator's own PostgreSQL; undefined means the embedded one. */
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
  // Loopback: in development every visitor can sign in as any person. HOST=0.0.0.0 opens it to the network.
  host: env.HOST || '127.0.0.1',
  dataDir: env.DATA_DIR ? resolve(env.DATA_DIR) : join(ROOT, 'data'),
  databaseUrl: env.DATABASE_URL || undefined,
  xSandbox: (env.X_MODE || 'sandbox') === 'sandbox',
});

/** A random secret, made at first use and kept in `dataDir`, so that people stay signed in over a restart. */
export const readOrCreateSecret = (dataDir: string, name: string): string => {
  const path = join(dataDir, name);
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(path, 'utf8').trim();
};

/** The defaults of the server and of marketctl in a checkout. The operator's environment overrides them. */
export const developmentEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  NODE_ENV: 'development',
  SESSION_KEYS: readOrCreateSecret(dataDir, 'session-key'),
  TOKEN_ENC_KEY: readOrCreateSecret(dataDir, 'token-key'),
  AUTH_TEST_USERS: 'on',
  IMAGE_DIR: join(dataDir, 'images'),
  CACHE_DIR: join(dataDir, 'cache'),
  SHUTDOWN_DELAY: '0s',
  // Node strips the types once, not at every start.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(ROOT, '.cache/node'),
});
