import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateUp } from '../../server/db/migrate.ts';
import { startPooler } from './pooler.ts';
import { openPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { url: string; template: string; poolerUrl: string | undefined };
  }
}

export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

const runAlone = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/** Runs once: starts PostgreSQL with a migrated template database. Each test file gets a copy. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await openPostgresServer();
  const template = `tradepost_template_${randomBytes(6).toString('hex')}`;
  try {
    await runAlone(server.url, `create database ${template}`);
    await migrateUp({ url: withDatabase(server.url, template) });
  } catch (error) {
    await server.close();
    throw error;
  }
  // With TEST_POOLER=pgbouncer, requests reach the database through PgBouncer in transaction mode.
  const pooler = process.env.TEST_POOLER ? await startPooler(server.url) : undefined;
  console.log(`PostgreSQL for tests: ${server.description}${pooler ? ', behind PgBouncer' : ''}`);
  project.provide('postgres', { url: server.url, template, poolerUrl: pooler?.urlOf(server.url) });
  return async () => {
    await pooler?.close();
    await runAlone(server.url, `drop database if exists ${template} with (force)`);
    await server.close();
  };
};
