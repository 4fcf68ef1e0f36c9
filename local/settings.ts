import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export interface StartSettings {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
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
  // Loopback only: in development, every visitor can sign in as any user. HOST=0.0.0.0 exposes it to the network.
  host: env.HOST || '127.0.0.1',
  dataDir: env.DATA_DIR ? resolve(env.DATA_DIR) : join(ROOT, 'data'),
  databaseUrl: env.DATABASE_URL || undefined,
  xSandbox: (env.X_MODE || 'sandbox') === 'sandbox',
});

/** Reads a secret of `dataDir`, or creates a random one. It is stored so that sessions survive a restart. */
export const readOrCreateSecret = (dataDir: string, name: string): string => {
  const path = join(dataDir, name);
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(path, 'utf8').trim();
};

/** Defaults for the server and marketctl in a checkout. The operator's environment overrides them. */
export const developmentEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  NODE_ENV: 'development',
  SESSION_KEYS: readOrCreateSecret(dataDir, 'session-key'),
  TOKEN_ENC_KEY: readOrCreateSecret(dataDir, 'token-key'),
  AUTH_TEST_USERS: 'on',
  IMAGE_DIR: join(dataDir, 'images'),
  CACHE_DIR: join(dataDir, 'cache'),
  SHUTDOWN_DELAY: '0s',
  // Caches stripped TypeScript, so that Node does not strip it at every start.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(ROOT, '.cache/node'),
});
