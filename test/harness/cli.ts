import { Readable, Writable } from 'node:stream';
import { afterAll } from 'vitest';
import { runMarketctl } from '../../cli/marketctl.ts';
import type { Environment } from '../../server/config/load.ts';
import { createPool, type Db } from '../../server/db/pools.ts';
import { createTestDatabase } from './database.ts';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a different shape
  json: () => any;
  lines: string[];
}

export interface CliSurroundings {
  env?: Environment;
  stdin?: string;
  /** The width of the terminal. Undefined means a pipe. */
  columns?: number;
  signal?: AbortSignal;
}

const collect = (columns: number | undefined) => {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: columns !== undefined, columns }), text: () => text };
};

export const runCli = async (args: string | readonly string[], around: CliSurroundings = {}): Promise<CliRun> => {
  const { env = {}, stdin = '', columns, signal = new AbortController().signal } = around;
  const [out, err] = [collect(columns), collect(columns)];
  const list = typeof args === 'string' ? args.split(' ').filter(Boolean) : args;
  const input = Object.assign(Readable.from(stdin === '' ? [] : [stdin]), { isTTY: false });
  const code = await runMarketctl(list, { env, stdin: input, stdout: out.stream, stderr: err.stream, signal });
  const stdout = out.text();
  const lines = stdout.split(/\r?\n/).filter(Boolean);
  return { code, stdout, stderr: err.text(), json: () => JSON.parse(stdout), lines };
};

export interface CliDatabase {
  url: string;
  db: Db;
  run: (args: string | readonly string[], around?: CliSurroundings) => Promise<CliRun>;
}

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

/** A hash of all rows of the tables, to prove that a dry run changes nothing. */
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
