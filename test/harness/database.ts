import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { setRoleDefaults } from '../../server/db/migrate.ts';
import type { Db } from '../../server/db/pools.ts';

export interface TestDatabase {
  /** The URL for requests: through the pooler if the run has one. */
  url: string;
  /** The URL for migrations, jobs and LISTEN. */
  directUrl: string;
  drop: () => Promise<void>;
}

const withClient = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

const withAdmin = (sql: string): Promise<void> => withClient(inject('postgres').url, (client) => client.query(sql));

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/**
 * A migrated database, copied from the run's template. One per test file: `const database = await createTestDatabase();
 * afterAll(database.drop);`
 */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { url, template, poolerUrl } = inject('postgres');
  const name = `tradepost_test_${randomBytes(6).toString('hex')}`;
  await withAdmin(`create database ${name} template ${template}`);
  const directUrl = withName(url, name);
  if (poolerUrl) await withClient(directUrl, setRoleDefaults);
  return {
    url: withName(poolerUrl ?? url, name),
    directUrl,
    drop: () => withAdmin(`drop database if exists ${name} with (force)`),
  };
};

/** The pool of a process that is killed after so many transactions. */
export function failAfter(pool: Db, transactions: number): Db {
  let begun = 0;
  return new Proxy(pool, {
    get: (db, name, receiver) =>
      name === 'transaction'
        ? (work: never) => (++begun > transactions ? Promise.reject(new Error('killed')) : db.transaction(work))
        : Reflect.get(db, name, receiver),
  });
}
