import { readFile } from 'node:fs/promises';
import { connectDb } from '../../server/db/connect.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { seedCategories } from '../../server/features/categories/actions.ts';

/** Brings a database to this checkout's state: migrations and seeds. Running it again changes nothing. */
export const prepareDatabase = async (url: string): Promise<void> => {
  await migrateUp({ url });
  const db = connectDb({ url, name: 'tradepost start' });
  try {
    const categories = await readFile(new URL('../../seeds/categories.json', import.meta.url), 'utf8');
    await seedCategories({ db }, JSON.parse(categories));
  } finally {
    await db.destroy();
  }
};
