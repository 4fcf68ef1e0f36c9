import { join } from 'node:path';
import { createServer } from 'vite';
import { startMarketplace } from './marketplace.ts';
import { findFreePort } from './ports.ts';
import { readSettings } from './settings.ts';

const say = (message: string): void => console.error(message);
const stopSignal = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopSignal.abort());

const run = async (): Promise<void> => {
  const settings = readSettings(process.env);
  const port = await findFreePort(settings.host, settings.port);
  const address = `http://localhost:${port}`;
  const marketplace = await startMarketplace({
    ...settings,
    port: 0,
    host: '127.0.0.1',
    env: { ...process.env, PUBLIC_URL: address },
    skipWeb: true,
    logHere: true,
    say,
    signal: stopSignal.signal,
  });
  process.env.API_URL = marketplace.serverUrl;
  const vite = await createServer({
    configFile: join(import.meta.dirname, '../web/vite.config.ts'),
    server: { port, host: settings.host, strictPort: true },
  });
  await vite.listen();
  console.log(`Tradepost is ready on ${address}, with hot replacement; Ctrl-C stops it`);
  await marketplace.ended;
  await Promise.all([vite.close(), marketplace.stop()]);
};

try {
  await run();
  process.exit(0);
} catch (error) {
  if (stopSignal.signal.aborted) process.exit(0);
  say((error as Error).message);
  process.exit(1);
}
