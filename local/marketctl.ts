/** The checkout's marketctl: uses the embedded PostgreSQL, starting it for the command if it is not running. */
import { runHere } from '../cli/marketctl.ts';

const say = (message: string): void => console.error(message);

// Called, and its files read, only when a command wants a database and DATABASE_URL does not name one.
const openDatabase = async () => {
  const [{ useRunningDatabase }, { readSettings }, { developmentEnvironment }] = await Promise.all([
    import('./borrow-database.ts'),
    import('./marketplace.ts'),
    import('./marketplace.ts'),
  ]);
  const { dataDir } = readSettings(process.env);
  const { url, release } = await useRunningDatabase(dataDir, say);
  return { url, env: developmentEnvironment(dataDir), close: release };
};

await runHere({ openDatabase });
