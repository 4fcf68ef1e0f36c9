import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startXSimulator } from '../../local/x-simulator/server.ts';

export interface SharedSandbox {
  env: Record<string, string>;
  close(): Promise<void>;
}

/** The X simulator on this machine's loopback. Containers reach it through a socket in a mounted folder. */
export async function openSharedSandbox(publicUrl: string, clientSecret: string): Promise<SharedSandbox> {
  const callback = new URL('/api/auth/twitter/callback', publicUrl).href;
  const sandbox = await startXSimulator({ port: 0, clientId: 'sandbox-check', clientSecret, redirectUris: [callback] });
  const { port } = new URL(sandbox.url);
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-relay-'));
  copyFileSync(join(import.meta.dirname, 'relay.mjs'), join(directory, 'relay.mjs'));
  const relay = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(join(directory, 'x.sock'), resolve));
  chmodSync(directory, 0o755);
  chmodSync(join(directory, 'x.sock'), 0o666);
  return {
    env: { X_SANDBOX_URL: sandbox.url, X_SANDBOX_PORT: port, RELAY_DIR: directory, X_CLIENT_ID: 'sandbox-check' },
    async close() {
      relay.close();
      await sandbox.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
