import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

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
