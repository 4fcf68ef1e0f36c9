import { relative } from 'node:path';
import { type Marketplace, startMarketplace } from './marketplace.ts';
import { readSettings } from './settings.ts';

const say = (message: string): void => console.error(message);

const readyLine = ({ address, sandboxUrl, movedTo }: Marketplace, dataDir: string): string => {
  const data = movedTo ?? (relative('.', dataDir).startsWith('..') ? dataDir : relative('.', dataDir) || '.');
  const sandbox = sandboxUrl ? `, X sandbox on ${sandboxUrl}` : '';
  return `Tradepost is ready on ${address} (data in ${data}${sandbox}; Ctrl-C stops it)`;
};

const stopSignal = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopSignal.abort());

const run = async (): Promise<void> => {
  const settings = readSettings(process.env);
  const marketplace = await startMarketplace({ ...settings, env: process.env, say, signal: stopSignal.signal });
  console.log(readyLine(marketplace, settings.dataDir));
  await marketplace.ended;
  await marketplace.stop();
  if (!stopSignal.signal.aborted)
    throw new Error(`The server ended by itself; its log is ${settings.dataDir}/server.log.`);
};

try {
  await run();
  process.exit(0);
} catch (error) {
  if (stopSignal.signal.aborted) process.exit(0);
  say((error as Error).message);
  process.exit(1);
}
