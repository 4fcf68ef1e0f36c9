import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Drops the database; connections that are still open are cut. */
  drop: () => Promise<void>;
}

const withAdmin = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('postgres').url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/**
 * A migrated database of its own, copied from the run's template in some 50 ms. One per test file:
 * `const database = await createTestDatabase(); afterAll(database.drop);`
 */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { url, template } = inject('postgres');
  const name = `tradepost_test_${randomBytes(6).toString('hex')}`;
  await withAdmin(`create database ${name} template ${template}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => withAdmin(`drop database if exists ${name} with (force)`) };
};
