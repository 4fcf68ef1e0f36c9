/** The checkout's marketctl: uses the embedded PostgreSQL, starting it for the command if it is not running. */
import { runHere } from '../cli/marketctl.ts';

const say = (message: string): void => console.error(message);

// Loaded only when a command needs a database and DATABASE_URL names none.
const openDatabase = async () => {
  const [{ useRunningDatabase }, { readSettings, developmentEnvironment }] = await Promise.all([
    import('./borrow-database.ts'),
    import('./settings.ts'),
  ]);
  const { dataDir } = readSettings(process.env);
  const { url, release } = await useRunningDatabase(dataDir, say);
  return { url, env: developmentEnvironment(dataDir), close: release };
};

await runHere({ openDatabase });
