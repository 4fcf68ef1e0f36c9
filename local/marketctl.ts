/** Calls cli/marketctl.ts with the embedded database's address, starting PostgreSQL for the command if it is not running. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { borrowDatabase } from './borrow-database.ts';
import { developmentEnvironment } from './start/environment.ts';
import { readSettings } from './start/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const NEEDS_NO_DATABASE = ['help', 'version', 'completion', 'keys', '-V', '--version'];

const needsDatabase = ([command, ...rest]: string[]): boolean =>
  command !== undefined &&
  !NEEDS_NO_DATABASE.includes(command) &&
  ![command, ...rest].some((word) => word === '--help' || word === '-h');

const runCli = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const cli = spawn(process.execPath, [join(ROOT, 'cli/marketctl.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  // Ctrl-C reaches the command by itself; we only must not end before it has.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => cli.kill('SIGTERM'));
  const [code] = (await once(cli, 'exit')) as [number | null];
  return code ?? 130;
};

const say = (message: string): void => console.error(message);

const run = async (): Promise<number> => {
  const { dataDir } = readSettings(process.env);
  if (process.env.DATABASE_URL || !needsDatabase(process.argv.slice(2))) return runCli(process.env);
  const database = await borrowDatabase(dataDir, say);
  try {
    return await runCli({ ...developmentEnvironment(dataDir), ...process.env, DATABASE_URL: database.url });
  } finally {
    await database.release();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
