import { readFile } from 'node:fs/promises';
import { seedSample } from '../../seeds/sample.ts';
import { openApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { describeNewer } from '../../server/db/schema-state.ts';
import { seedCategories } from '../../server/features/categories/actions.ts';

/** Brings the server's database to this checkout's state: migrations and seeds. Running it again changes nothing. */
export const prepareDatabase = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const onNewer = (names: string[]) => process.stderr.write(`${describeNewer(names)}\n`);
  await migrateUp({ url: config.databaseDirectUrl, onNewer });
  const app = openApp(config);
  try {
    const categories = await readFile(new URL('../../seeds/categories.json', import.meta.url), 'utf8');
    await seedCategories(app, JSON.parse(categories));
    if (!config.isProduction) await seedSample(app);
  } finally {
    await app.close();
  }
};
