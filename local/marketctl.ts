import { runHere } from '../cli/marketctl.ts';

const say = (message: string): void => console.error(message);

// Loaded only if a command needs a database and DATABASE_URL is not set.
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
