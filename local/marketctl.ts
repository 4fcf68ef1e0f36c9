import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDatabase } from '../cli/framework/environment.ts';
import { runHere } from '../cli/marketctl.ts';

const say = (message: string): void => console.error(message);

/**
 * The database of DATA_DIR: the one of a running `make start` once it is up, or a PostgreSQL that runs until `close`.
 * Waits while another command uses its own PostgreSQL.
 */
const openDatabase = async (): Promise<OpenDatabase> => {
  // Loaded only if a command needs a database and DATABASE_URL is not set.
  const [{ DataDirInUse, lockDataDir }, { startPostgres }, { readSettings, developmentEnvironment }] =
    await Promise.all([import('./lock.ts'), import('./postgres/postgres.ts'), import('./settings.ts')]);
  const { dataDir } = readSettings(process.env);
  const env = developmentEnvironment(dataDir);
  for (let hasSaid = false; ; await sleep(100)) {
    try {
      const lock = lockDataDir(dataDir, 'marketctl');
      const postgres = await startPostgres({ dataDir, onEvent: say }).catch((error: unknown) => {
        lock.release();
        throw error;
      });
      return { url: postgres.url, env, close: () => postgres.stop().finally(lock.release) };
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      const { databaseUrl, env: shared } = error.holder ?? {};
      if (databaseUrl) return { url: databaseUrl, env: { ...env, ...shared }, close: async () => {} };
      if (!hasSaid) say(`Waiting for another process: ${error.message}`);
      hasSaid = true;
    }
  }
};

await runHere({ openDatabase });
