import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startXSandbox, type XSandbox, type XSandboxOptions } from '../x-sandbox/server.ts';
import { keepSecret } from './secrets.ts';
import type { Stack } from './stack.ts';

// The addresses of avatars and posts, which the database keeps, hold the port: the same one is taken again if it is free.
const startOnOldPort = async (dataDir: string, options: Omit<XSandboxOptions, 'port'>): Promise<XSandbox> => {
  const file = join(dataDir, 'x-sandbox-port');
  const old = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const sandbox = await startXSandbox({ ...options, port: old }).catch(() => startXSandbox({ ...options, port: 0 }));
  writeFileSync(file, new URL(sandbox.url).port);
  return sandbox;
};

interface SandboxOptions {
  dataDir: string;
  xSandbox: boolean;
}

/** Starts the stand-in for X and says what the server must know of it; nothing where the server speaks to the real X. */
export const openSandbox = async (
  { dataDir, xSandbox }: SandboxOptions,
  address: string,
  stack: Stack,
): Promise<NodeJS.ProcessEnv> => {
  if (!xSandbox) return {};
  const client = { clientId: 'sandbox-tradepost', clientSecret: keepSecret(dataDir, 'x-sandbox-secret') };
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
