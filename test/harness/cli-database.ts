import { afterAll } from 'vitest';
import { createPool, type Db } from '../../server/db/pools.ts';
import { type CliRun, type CliSurroundings, runCli } from './cli.ts';
import { createTestDatabase } from './database.ts';

export interface CliDatabase {
  url: string;
  db: Db;
  /** marketctl with this database. */
  run: (args: string | readonly string[], around?: CliSurroundings) => Promise<CliRun>;
}

/** A migrated database of its own with marketctl on it, for one test file. */
export const openCliDatabase = async (): Promise<CliDatabase> => {
  const { url, drop } = await createTestDatabase();
  const db = createPool({ url, name: 'test' });
  afterAll(async () => {
    await db.destroy();
    await drop();
  });
  const run: CliDatabase['run'] = (args, around = {}) =>
    runCli(args, { ...around, env: { DATABASE_URL: url, ...around.env } });
  return { url, db, run };
};

/** What every row of the tables is, as one text: a dry run must leave it as it was. */
export const fingerprint = async (db: Db, ...tables: string[]): Promise<string> => {
  const parts: string[] = [];
  for (const table of tables) {
    const { rows } = await db.raw(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as md5 from ?? t`,
      [table],
    );
    parts.push(`${table} ${rows[0].md5}`);
  }
  return parts.join('\n');
};
