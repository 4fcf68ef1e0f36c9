import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { streamMessages } from '../contract/messages.ts';
import { createTestDatabase } from '../test/harness/database.ts';
import { openEventSource } from '../test/harness/event-source.ts';
import { insertPlaces, insertUser } from '../test/harness/factories.ts';
import { PRODUCTION_ENV } from '../test/harness/production-env.ts';
import { openProxy } from '../test/harness/proxy.ts';
import { openStalledSmtpServer } from '../test/harness/smtp-server.ts';
import type { AppContext } from './app-context.ts';
import { createPool } from './db/pools.ts';

const stalled = await openStalledSmtpServer();
const MAIN = new URL('./main.ts', import.meta.url).pathname;
const running: ChildProcess[] = [];
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function takeFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Started {
  child: ChildProcess;
  url: string;
  output: () => string;
  exit: Promise<number | null>;
}

function start(env: Record<string, string>): Omit<Started, 'url'> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output: () => text, exit };
}

async function startServer(databaseUrl: string, env: Record<string, string> = {}): Promise<Started> {
  const port = await takeFreePort();
  const url = `http://localhost:${port}`;
  const started = start({
    NODE_ENV: 'test',
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATABASE_URL: databaseUrl,
    ...env,
  });
  await expect.poll(() => started.output()).toContain('"msg":"ready"');
  return { ...started, url };
}

/** A database with places: into an empty one a worker loads all of them, and ends seconds after SIGTERM. */
async function openDatabase() {
  const database = await createTestDatabase();
  const db = createPool({ url: database.url, name: 'tradepost test' });
  cleanups.push(() => db.destroy(), database.drop);
  await insertPlaces({ db });
  return { ...database, db };
}

const startWithDatabase = async (env: Record<string, string> = {}) => startServer((await openDatabase()).url, env);

const statusOf = (url: string) => fetch(url).then(({ status }) => status);

test('with ads in another currency it does not start, and says how to convert them', async () => {
  const { db, ...database } = await openDatabase();
  const { id: user_id } = await insertUser({ db } as AppContext);
  const [category] = await db('categories')
    .insert({ slug: 'other', name: 'Other', emoji: '📦', position: 1 })
    .returning('id');
  await db('ads').insert({ user_id, category_id: category.id, title: 'Atlas', description: '', price: '5.00' });
  const { exit, output } = start({ NODE_ENV: 'test', DATABASE_URL: database.url, CURRENCY: 'EUR' });
  expect(await exit).toBe(3);
  expect(output()).toContain('marketctl currency convert --to EUR --rate 0.92');
});

describe('stopping', () => {
  test('on SIGTERM it is out of rotation at once, serves on for the delay, finishes what runs, and ends with 0', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop);
    const { child, url, exit } = await startServer(database.url, { SHUTDOWN_DELAY: '700ms' });
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    const slow = request(`${url}/api/auth/admin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 29 },
    });
    const answered = once(slow, 'response');
    slow.write('{"username":"a",');
    await statusOf(`${url}/healthz`);
    child.kill('SIGTERM');
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(503);
    const page = await fetch(`${url}/api/ads`);
    expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
    await new Promise((resolve) => setTimeout(resolve, 900));
    slow.end('"password":"b"');
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    response.resume();
    expect(await exit).toBe(0);
  });

  test('open streams end at once and hold nothing up', async () => {
    const { db, ...database } = await openDatabase();
    const env = { SHUTDOWN_DELAY: '300ms', SHUTDOWN_TIMEOUT: '1h', AUTH_TEST_USERS: 'on' };
    const { child, url, exit } = await startServer(database.url, env);
    const { id } = await insertUser({ db } as AppContext);
    const stream = await openEventSource(url + streamMessages.path, { 'X-Test-User': id });
    expect(stream.status).toBe(200);
    child.kill('SIGTERM');
    await stream.ended;
    expect(child.exitCode).toBeNull();
    expect(await exit).toBe(0);
  });

  /** A database whose queue holds one letter, for a mail server that never takes it. */
  const openWithStuckJob = async () => {
    const { db, ...database } = await openDatabase();
    await db('contact_messages').insert({ name: 'Ann', email: 'a@b.example', subject: 'Hi', message: 'Hello' });
    await db.raw(`select graphile_worker.add_job('mail-contact', json_build_object('contactMessageId', id::text))
      from contact_messages`);
    const readJob = () => db('graphile_worker.jobs').where({ task_identifier: 'mail-contact' }).first();
    const waitUntilRunning = async () => {
      await expect.poll(readJob).toMatchObject({ locked_by: expect.any(String) });
      await expect.poll(stalled.waiting).toBe(1);
    };
    const env = { SMTP_URL: stalled.url, SHUTDOWN_DELAY: '0s', SHUTDOWN_TIMEOUT: '300ms' };
    return { database, readJob, waitUntilRunning, env };
  };

  test('a job that does not end in time goes back into the queue for another process', async () => {
    const { database, readJob, waitUntilRunning, env } = await openWithStuckJob();
    const { child, exit, output } = await startServer(database.url, env);
    await waitUntilRunning();
    child.kill('SIGTERM');
    expect([0, 1]).toContain(await exit);
    expect(output()).toContain('went back into the queue');
    const job = await readJob();
    expect(job).toMatchObject({ locked_by: null, attempts: 0 });
    expect(Date.parse(job.run_at)).toBeLessThanOrEqual(Date.now());
  });

  test('a job that cannot go back, because the database is away, stays locked; the process ends as it should', async () => {
    const { database, readJob, waitUntilRunning, env } = await openWithStuckJob();
    const proxy = await openProxy(new URL(database.directUrl));
    cleanups.unshift(proxy.close);
    const { child, exit, output } = await startServer(proxy.url, env);
    await waitUntilRunning();
    proxy.close();
    child.kill('SIGTERM');
    expect([0, 1]).toContain(await exit);
    expect(output()).toContain('jobs could not be given back');
    expect(output()).not.toContain('unknown state');
    expect(await readJob()).toMatchObject({ locked_by: expect.any(String), attempts: 1 });
  });

  test('what does not finish in time is cut, and the exit says so', async () => {
    const { child, url, exit } = await startWithDatabase({ SHUTDOWN_DELAY: '0s', SHUTDOWN_TIMEOUT: '300ms' });
    const stuck = request(`${url}/api/auth/admin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 9 },
    });
    stuck.on('error', () => {});
    stuck.write('{');
    await statusOf(`${url}/healthz`);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
  });

  test('a database that froze does not keep it from ending', async () => {
    const database = await openDatabase();
    const proxy = await openProxy(new URL(database.directUrl));
    cleanups.unshift(proxy.close);
    const { child, exit } = await startServer(proxy.url, { SHUTDOWN_DELAY: '0s', SHUTDOWN_TIMEOUT: '300ms' });
    proxy.freeze();
    child.kill('SIGTERM');
    // 1 where what was in memory could not be written down
    expect([0, 1]).toContain(await exit);
  });

  test('a second signal ends it at once', async () => {
    const { child, exit, output } = await startWithDatabase({ SHUTDOWN_DELAY: '1h' });
    child.kill('SIGTERM');
    await expect.poll(output).toContain('stopping');
    child.kill('SIGINT');
    expect(await exit).toBe(1);
  });
});

describe('a database that is away', () => {
  const expectAway = async (url: string) => {
    // never asked before: nothing of it is in memory
    const answer = await fetch(`${url}/api/ads?search=${Math.random()}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'database_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    const page = await fetch(`${url}/`);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('id="boot"')]);
  };

  test('at the start: the process waits for it, and says so', async () => {
    const port = await takeFreePort();
    const { url, child } = await startServer(`postgres://nobody@127.0.0.1:${port}/none`);
    await expectAway(url);
    expect(child.exitCode).toBeNull();
  });

  test('for a while: answers are 503, then all is well again without a restart', async () => {
    const database = await openDatabase();
    const proxy = await openProxy(new URL(database.url));
    cleanups.unshift(proxy.close);
    const { url, child } = await startServer(proxy.url);
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    proxy.mode.now = 'swallow';
    proxy.cut();
    await expectAway(url);
    proxy.mode.now = 'pass';
    proxy.cut();
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    await expect.poll(() => statusOf(`${url}/api/ads`)).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  test('frozen with its connections open: answers are 503, and it recovers', async () => {
    const database = await openDatabase();
    const proxy = await openProxy(new URL(database.url));
    cleanups.unshift(proxy.close);
    const { url } = await startServer(proxy.url);
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    expect(await statusOf(`${url}/api/ads`)).toBe(200);
    proxy.freeze();
    await expectAway(url);
    proxy.thaw();
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    await expect.poll(() => statusOf(`${url}/api/ads`)).toBe(200);
  });
});

describe('a schema that a newer release made', () => {
  const migrateAsNewer = async (url: string) => {
    const db = createPool({ url, name: 'tradepost test' });
    await db.raw(`alter table ads add column of_a_newer_release text not null default 'x';
      alter table users add column of_a_newer_release int;
      insert into knex_migrations (name, batch) values ('99990101000000_of_a_newer_release.ts', 99)`);
    await db.destroy();
  };
  const expectServing = async (url: string) => {
    for (const path of ['/readyz', '/api/ads', '/api/ads?search=lamp', '/'])
      expect([path, await statusOf(url + path)]).toEqual([path, 200]);
  };

  test('under a running server: it stays ready and serves on', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop);
    const { url } = await startServer(database.url);
    await expectServing(url);
    await migrateAsNewer(database.url);
    await expectServing(url);
  });

  test('before the start: the server says so, also where it migrates itself, and is ready', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop);
    await migrateAsNewer(database.url);
    const { url, output } = await startServer(database.url, { MIGRATE_ON_START: 'true' });
    expect(output()).toContain('The schema is newer than this release');
    await expectServing(url);
  });
});

describe('a configuration that is not fit for production', () => {
  const GOOD = { ...PRODUCTION_ENV, PORT: '0' };

  test.each([
    [{ AUTH_TEST_USERS: 'on' }, 'AUTH_TEST_USERS must be off'],
    [{ X_MODE: 'sandbox', X_SANDBOX_URL: 'http://127.0.0.1:1' }, 'X_MODE must be live'],
    [{ X_SANDBOX_URL: 'http://127.0.0.1:1' }, 'X_SANDBOX_URL must not be set'],
    [{ X_CLIENT_ID: 'sandbox-tradepost' }, 'X_CLIENT_ID is a sandbox client'],
    [{ PUBLIC_URL: 'http://localhost:8080' }, 'PUBLIC_URL must not be loopback'],
    [{ SESSION_KEYS: '' }, 'SESSION_KEYS is required'],
    [{ SESSION_KEYS: 'short' }, 'at least 32 bytes'],
    [{ RATE_LIMIT_SCALE: '0' }, 'RATE_LIMIT_SCALE must be at least 1'],
    [{ SMTP_URL: `smtp://us:${'k'.repeat(40)}#@mail.example` }, 'SMTP_URL is no address'],
    [{ DATABASE_URL: `postgres://us:${'k'.repeat(40)}#@db.example/db` }, 'DATABASE_URL is no address'],
    [{ SESSION_KEYS_FILE: '/nowhere', SESSION_KEYS: '' }, 'SESSION_KEYS_FILE cannot be read'],
  ])('%o ends the start with 3', async (env, because) => {
    const { exit, output } = start({ ...GOOD, ...env } as Record<string, string>);
    expect(await exit).toBe(3);
    expect(output()).toContain(because);
    expect(output()).not.toContain('k'.repeat(40));
  });

  test('all that is wrong is said at once', async () => {
    const { exit, output } = start({ NODE_ENV: 'production', PORT: 'eighty', LOG_LEVEL: 'loud' });
    expect(await exit).toBe(3);
    for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_URL', 'DATABASE_URL', 'SESSION_KEYS', 'X_CLIENT_ID'])
      expect(output()).toContain(name);
  });
});

test('metrics have an address of their own: other addresses of the machine do not answer', async () => {
  const database = await openDatabase();
  const port = await takeFreePort();
  const isOpen = async (host: string) => {
    const { status } = await fetch(`http://${host}:${port}/metrics`).catch(() => ({ status: 0 }));
    return status === 200;
  };
  await startServer(database.url, { HOST: '0.0.0.0', METRICS_PORT: String(port) });
  expect([await isOpen('127.0.0.1'), await isOpen('127.0.0.2')]).toEqual([true, false]);
});
