import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Marketplace, startMarketplace } from '../../local/marketplace.ts';

export interface OwnMarketplace extends Marketplace {
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** A marketplace with settings of its own, beside the one that all journeys share. */
export const startOwnMarketplace = async (settings: Record<string, string>): Promise<OwnMarketplace> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-own-'));
  const marketplace = await startMarketplace({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: undefined,
    xSandbox: true,
    durable: false,
    env: { ...process.env, RATE_LIMIT_SCALE: '0', NODE_ENV: 'development', ...settings },
    say: () => {},
    signal: new AbortController().signal,
  });
  const remove = async () => {
    await marketplace.stop();
    for (const path of [dataDir, marketplace.movedTo]) if (path) rmSync(path, { recursive: true, force: true });
  };
  return { ...marketplace, remove };
};
