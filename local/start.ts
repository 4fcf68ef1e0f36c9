import { join, relative } from 'node:path';
import { type Marketplace, type StartOptions, startMarketplace } from './marketplace.ts';
import { findFreePort } from './ports.ts';
import { readSettings } from './settings.ts';

const say = (message: string): void => console.error(message);

const listHelpers = ({ sandboxUrl, mailboxUrl }: Marketplace): string =>
  [sandboxUrl && `, X sandbox on ${sandboxUrl}`, mailboxUrl && `, mailbox on ${mailboxUrl}`].filter(Boolean).join('');

const readyLine = (marketplace: Marketplace, dataDir: string): string => {
  const { address, movedTo } = marketplace;
  const data = movedTo ?? (relative('.', dataDir).startsWith('..') ? dataDir : relative('.', dataDir) || '.');
  return `Tradepost is ready on ${address} (data in ${data}${listHelpers(marketplace)}; Ctrl-C stops it)`;
};

const stopSignal = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopSignal.abort());

const start = async (options: StartOptions): Promise<void> => {
  const marketplace = await startMarketplace(options);
  console.log(readyLine(marketplace, options.dataDir));
  await marketplace.ended;
  await marketplace.stop();
  if (!stopSignal.signal.aborted)
    throw new Error(`The server ended by itself; its log is ${options.dataDir}/server.log.`);
};

/** Puts Vite in front of the server. */
const startDevelopment = async (options: StartOptions): Promise<void> => {
  const { createServer } = await import('vite');
  const port = await findFreePort(options.host, options.port);
  const address = `http://localhost:${port}`;
  const marketplace = await startMarketplace({
    ...options,
    port: 0,
    host: '127.0.0.1',
    env: { ...options.env, PUBLIC_URL: address },
    skipWeb: true,
    logHere: true,
  });
  process.env.API_URL = marketplace.serverUrl;
  const vite = await createServer({
    configFile: join(import.meta.dirname, '../web/vite.config.ts'),
    server: { port, host: options.host, strictPort: true },
  });
  await vite.listen();
  console.log(`Tradepost is ready on ${address}, with hot replacement${listHelpers(marketplace)}; Ctrl-C stops it`);
  await marketplace.ended;
  await Promise.all([vite.close(), marketplace.stop()]);
};

/** Starts inside the container of deploy/compose/compose.try.yml, whose image holds the built pages. */
const startInContainer = (options: StartOptions): Promise<void> => {
  const containerSandboxPort = Number(options.env.X_SANDBOX_PORT || 8081);
  return start({ ...options, containerSandboxPort, skipWeb: true, logHere: true });
};

const MODES: Record<string, (options: StartOptions) => Promise<void>> = {
  '--dev': startDevelopment,
  '--container': startInContainer,
};

try {
  const options = { ...readSettings(process.env), env: process.env, say, signal: stopSignal.signal };
  await (MODES[process.argv[2] ?? ''] ?? start)(options);
  process.exit(0);
} catch (error) {
  if (stopSignal.signal.aborted) process.exit(0);
  say((error as Error).message);
  process.exit(1);
}
