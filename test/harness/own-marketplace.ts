import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Marketplace, startMarketplace } from '../../local/marketplace.ts';

export interface OwnMarketplace extends Marketplace {
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

interface OwnOptions {
  settings?: Record<string, string>;
  /** As in production, for measurements. Default false, which is faster. */
  durable?: boolean;
  say?: (message: string) => void;
}

const showLog = (dataDir: string): void => {
  try {
    console.error(readFileSync(join(dataDir, 'server.log'), 'utf8').split('\n').slice(-20).join('\n'));
  } catch {
    // The server has not started, so there is no log.
  }
};

/** A complete marketplace with data of its own, the sample data, on free ports. Prints the end of its log if it does not start. */
export const startOwnMarketplace = async ({
  settings = {},
  durable = false,
  say = () => {},
}: OwnOptions = {}): Promise<OwnMarketplace> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-own-'));
  // PostgreSQL runs as another user if root starts it
  chmodSync(dataDir, 0o755);
  const marketplace = await startMarketplace({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: undefined,
    xSandbox: true,
    durable,
    env: { ...process.env, RATE_LIMIT_SCALE: '0', NODE_ENV: 'development', ...settings },
    say,
    signal: new AbortController().signal,
  }).catch((error: unknown) => {
    showLog(dataDir);
    throw error;
  });
  const remove = async () => {
    await marketplace.stop();
    for (const path of [dataDir, marketplace.movedTo]) if (path) rmSync(path, { recursive: true, force: true });
  };
  return { ...marketplace, remove };
};
