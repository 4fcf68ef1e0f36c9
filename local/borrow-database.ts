import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirInUse, type Lock, lockDataDir } from './lock.ts';
import { startPostgres } from './postgres/postgres.ts';

export interface BorrowedDatabase {
  url: string;
  release: () => Promise<void>;
}

const startUntilReleased = async (
  dataDir: string,
  lock: Lock,
  say: (message: string) => void,
): Promise<BorrowedDatabase> => {
  try {
    const postgres = await startPostgres({ dataDir, onEvent: say });
    return {
      url: postgres.url,
      release: async () => {
        await postgres.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};

/**
 * Returns the database of `dataDir`: the one of a running `make start` once it is up, or a PostgreSQL that runs until
 * `release`. Waits while another command uses its own PostgreSQL on `dataDir`.
 */
export const useRunningDatabase = async (
  dataDir: string,
  say: (message: string) => void,
): Promise<BorrowedDatabase> => {
  for (let told = false; ; await sleep(100)) {
    try {
      return await startUntilReleased(dataDir, lockDataDir(dataDir, 'marketctl'), say);
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      if (error.holder?.databaseUrl) return { url: error.holder.databaseUrl, release: async () => {} };
      if (!told) say(`Waiting for another process: ${error.message}`);
      told = true;
    }
  }
};
