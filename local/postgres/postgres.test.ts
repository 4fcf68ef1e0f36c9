import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAccount } from './installation.ts';
import { isPostmaster, readPidFile, startPostgres } from './postgres.ts';

let dataDir: string;
const cleanUps: (() => unknown)[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tradepost-postgres-'));
  chmodSync(dataDir, 0o755);
});

afterEach(async () => {
  for (let cleanUp = cleanUps.pop(); cleanUp; cleanUp = cleanUps.pop()) await cleanUp();
  rmSync(dataDir, { recursive: true, force: true });
});

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
};

const start = async (directory = dataDir, events: string[] = []) => {
  const postgres = await startPostgres({ dataDir: directory, onEvent: (event) => events.push(event) });
  cleanUps.push(postgres.stop);
  return postgres;
};

const startElsewhere = async (): Promise<{ holder: ChildProcess; url: string; pid: number }> => {
  const holder = spawn(process.execPath, ['test/harness/hold-postgres.ts', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUps.push(() => holder.kill('SIGKILL'));
  const [line] = (await once(holder.stdout!, 'data')) as [Buffer];
  return { holder, ...(JSON.parse(line.toString()) as { url: string; pid: number }) };
};

const end = async (holder: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(holder, 'exit');
  holder.kill(signal);
  await ended;
};

const waitUntil = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(20);
};

const postgresDirectory = () => join(dataDir, 'postgres');
const isAlive = (pid: number): boolean => isPostmaster(pid, postgresDirectory());

test('a first start makes a UTF-8 database that sorts as people do; a second one finds what was written', async () => {
  const first = await start();
  await query(first.url, "create table kept as select unnest(array['b', 'Ä', 'a', 'Z']) as word");
  await first.stop();
  const second = await start();
  const rows = await query(second.url, 'select word from kept order by word');
  expect(rows.map(({ word }) => word)).toEqual(['a', 'Ä', 'b', 'Z']);
  expect(await query(second.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
});

test('our extensions and settings are there', async () => {
  const { url } = await start();
  for (const name of ['btree_gin', 'cube', 'pg_trgm', 'unaccent']) await query(url, `create extension ${name}`);
  expect(await query(url, "select current_setting('jit') as jit, current_setting('random_page_cost') as cost")).toEqual(
    [{ jit: 'off', cost: '1.1' }],
  );
});

test('stopping it leaves no process and no pid file', async () => {
  const postgres = await start();
  const pid = postgres.pid!;
  await postgres.stop();
  expect(isAlive(pid)).toBe(false);
  expect(readPidFile(postgresDirectory())).toBeUndefined();
});

test('after kill -9 of its holder the orphan is stopped and nothing committed is lost', async () => {
  const { holder, url, pid } = await startElsewhere();
  await query(url, 'create table kept as select 1 as n');
  await end(holder, 'SIGKILL');
  expect(isAlive(pid)).toBe(true);
  const next = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await query(next.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('after kill -9 of holder and postmaster the stale pid file blocks nothing', async () => {
  const { holder, url, pid } = await startElsewhere();
  await query(url, 'create table kept as select 1 as n');
  process.kill(pid, 'SIGKILL');
  await end(holder, 'SIGKILL');
  const next = await start();
  expect(await query(next.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('after kill -9 of the postmaster alone it is started again on the same address', async () => {
  const events: string[] = [];
  const postgres = await start(dataDir, events);
  await query(postgres.url, 'create table kept as select 1 as n');
  const killed = postgres.pid!;
  process.kill(killed, 'SIGKILL');
  await waitUntil(() => postgres.pid !== undefined && postgres.pid !== killed);
  expect(await query(postgres.url, 'select n from kept')).toEqual([{ n: 1 }]);
  expect(events[0]).toContain('PostgreSQL ended (SIGKILL); starting it again');
  expect(events.at(-1)).toContain('PostgreSQL is back');
});

test('a pid file whose number belongs to another process of the same user is ignored', async () => {
  const first = await start();
  const file = join(postgresDirectory(), 'postmaster.pid');
  const content = readFileSync(file, 'utf8');
  await first.stop();
  const stranger = spawn('sleep', ['1000'], { ...findAccount(postgresDirectory()) });
  cleanUps.push(() => stranger.kill());
  writeFileSync(file, content.replace(/^\d+/, String(stranger.pid)));
  const second = await start();
  expect(await query(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(stranger.exitCode).toBeNull();
});

test('a pid file of a zombie is ignored', async () => {
  const first = await start();
  const file = join(postgresDirectory(), 'postmaster.pid');
  const content = readFileSync(file, 'utf8');
  await first.stop();
  // perl does not reap its child, which stays a zombie until perl ends.
  const parent = spawn('perl', ['-e', '$| = 1; my $pid = fork // die; exit 0 unless $pid; print $pid; sleep 1000']);
  cleanUps.push(() => parent.kill());
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  await waitUntil(() => execFileSync('ps', ['-o', 'stat=', '-p', printed.toString()]).toString().startsWith('Z'));
  writeFileSync(file, content.replace(/^\d+/, printed.toString()));
  const second = await start();
  expect(await query(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('an interrupted first start starts again', async () => {
  mkdirSync(`${postgresDirectory()}.new/base`, { recursive: true });
  const { url } = await start();
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('data of another major version are refused with a sentence and not changed', async () => {
  await (await start()).stop();
  writeFileSync(join(postgresDirectory(), 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow('was made by PostgreSQL 15');
  expect(existsSync(join(postgresDirectory(), 'base'))).toBe(true);
});

test('a path too long for a socket, with spaces, quotes and commas in it, works too', async () => {
  const odd = join(dataDir, `it's "odd", ${'long'.repeat(30)}`);
  mkdirSync(odd);
  const { url } = await start(odd);
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test.runIf(process.getuid?.() === 0)(
  'root runs it as another user, also below a directory closed to others',
  async () => {
    chmodSync(dataDir, 0o700);
    const postgres = await start();
    expect(postgres.movedTo).toMatch(/^\/var\/lib\/tradepost\//);
    cleanUps.unshift(() => rmSync(postgres.movedTo!, { recursive: true }));
    const owner = execFileSync('ps', ['-o', 'user=', '-p', String(postgres.pid)])
      .toString()
      .trim();
    expect(owner).not.toBe('root');
  },
);
