import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMarketplace } from '../../local/marketplace.ts';

const showLog = (dataDir: string): void => {
  try {
    console.error(readFileSync(join(dataDir, 'server.log'), 'utf8').split('\n').slice(-20).join('\n'));
  } catch {
    // The server has not started, so there is no log.
  }
};

/**
 * Starts a complete marketplace with empty data on free ports. Publishes its URLs as E2E_ADDRESS (the
 * server's own: E2E_SERVER), E2E_X_SANDBOX and E2E_MAILBOX.
 */
export default async function startForJourneys(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-e2e-'));
  chmodSync(dataDir, 0o755);
  const marketplace = await startMarketplace({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: undefined,
    xSandbox: true,
    durable: false,
    env: { ...process.env, RATE_LIMIT_SCALE: '0', NODE_ENV: 'development' },
    say: (message) => console.error(message),
    signal: new AbortController().signal,
  }).catch((error) => {
    showLog(dataDir);
    throw error;
  });
  process.env.E2E_ADDRESS = marketplace.address;
  process.env.E2E_SERVER = marketplace.serverUrl;
  process.env.E2E_X_SANDBOX = marketplace.sandboxUrl;
  process.env.E2E_MAILBOX = marketplace.mailboxUrl;
  process.env.E2E_DATABASE_URL = marketplace.databaseUrl;
  return async () => {
    await marketplace.stop();
    for (const path of [dataDir, marketplace.movedTo]) if (path) rmSync(path, { recursive: true, force: true });
  };
}
