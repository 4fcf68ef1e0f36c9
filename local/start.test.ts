import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let dataDir: string;
const running: ChildProcess[] = [];

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tradepost-start-'));
  chmodSync(dataDir, 0o755);
});

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => void process.kill(-child.pid!, signal);

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  const ended = once(child, 'exit');
  signalGroup(child, signal);
  return ((await ended) as [number | null])[0];
};

afterEach(async () => {
  for (const child of running.splice(0))
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const start = (env: NodeJS.ProcessEnv = {}): { child: ChildProcess; output: () => string } => {
  const child = spawn(process.execPath, ['local/start.ts'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
  });
  running.push(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString() };
};

const startAndWait = async (
  env: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcess; address: string; output: string }> => {
  const { child, output } = start(env);
  while (!output().includes(' is ready on ')) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(20);
  }
  return { child, address: /ready on (http:\S+)/.exec(output())![1]!, output: output() };
};

const startAndFail = async (env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> => {
  const { child, output } = start(env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
};

/**
 * Processes whose command line or environment contains our DATA_DIR: PostgreSQL, and everything that `start` started.
 */
const leftovers = (): string[] =>
  spawnSync('sh', ['-c', 'ps axeww -o pid=,args= | grep -F "$1" | grep -v -e grep -e "sh -c"', 'sh', dataDir])
    .stdout.toString()
    .split('\n')
    .filter(Boolean);

const countAds = async (address: string): Promise<number> =>
  ((await (await fetch(`${address}/api/ads`)).json()) as unknown[]).length;

test('it says where it is ready in one line, serves, and Ctrl-C leaves no process behind', async () => {
  const { child, address, output } = await startAndWait();
  expect(output.trim().split('\n')).toHaveLength(1);
  for (const path of ['/healthz', '/readyz', '/api/ads']) expect((await fetch(address + path)).status, path).toBe(200);
  const mailbox = /mailbox on (http:[^;,]+)/.exec(output)![1]!;
  expect((await fetch(`${mailbox}/api/mails`)).status).toBe(200);
  expect(leftovers()).not.toEqual([]);
  expect(await end(child, 'SIGINT')).toBe(0);
  expect(leftovers()).toEqual([]);
});

test('a second one on the same data, or on a port that is taken, says so in a sentence and touches nothing', async () => {
  const { address } = await startAndWait();
  const same = await startAndFail({});
  expect(same).toEqual({
    code: 1,
    output: expect.stringMatching(/^\S+ is in use by another Tradepost \(start, pid \d+\)/),
  });
  const port = new URL(address).port;
  const other = mkdtempSync(join(tmpdir(), 'tradepost-start-'));
  const taken = await startAndFail({ PORT: port, DATA_DIR: other });
  expect(taken).toEqual({ code: 1, output: expect.stringContaining(`Port ${port} is taken.`) });
  rmSync(other, { recursive: true });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
});

test('after kill -9 the server goes by itself, and the next start finds the data', async () => {
  const { child, address } = await startAndWait();
  const ads = await countAds(address);
  await end(child, 'SIGKILL');
  while (
    await fetch(address).then(
      () => true,
      () => false,
    )
  )
    await sleep(20);
  const next = await startAndWait({ PORT: new URL(address).port });
  expect(next.address).toBe(address);
  expect(ads).toBeGreaterThan(0);
  expect(await countAds(next.address)).toBe(ads);
});

test('the site stays up when PostgreSQL is killed: it is not ready, then ready again', async () => {
  const { address } = await startAndWait();
  const pidFile = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
  while (!(await fetch(`${address}/api/ads`)).ok) await sleep(50);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

test('server.log rotates: two older parts, each bounded', async () => {
  const file = join(dataDir, 'server.log');
  const sizes = () => ['', '.1', '.2', '.3'].map((part) => statSync(file + part, { throwIfNoEntry: false })?.size ?? 0);
  const fill = () => appendFileSync(file, 'x'.repeat(21 * 2 ** 20));
  fill();
  const { address } = await startAndWait();
  for (let round = 0; round < 3; round++) {
    fill();
    while (sizes()[0]! > 2 ** 20) await sleep(100);
  }
  await fetch(`${address}/api/ads`);
  while (!readFileSync(file, 'utf8').includes('/api/ads')) await sleep(50);
  const [current, first, second, third] = sizes();
  expect(readFileSync(file, 'utf8').startsWith('{'), 'the server goes on at the start of the file').toBe(true);
  for (const size of [current, first, second]) expect(size).toBeLessThan(25 * 2 ** 20);
  expect([first! > 0, second! > 0, third]).toEqual([true, true, 0]);
});

test('Ctrl-C while it is still starting leaves no process behind', async () => {
  const { child } = start();
  while (leftovers().every((line) => !line.includes('bin/postgres'))) await sleep(10);
  expect(await end(child, 'SIGINT')).toBe(0);
  expect(leftovers()).toEqual([]);
});

test('a PORT that is no port is refused in a sentence', async () => {
  expect(await startAndFail({ PORT: 'http' })).toEqual({ code: 1, output: expect.stringContaining('PORT is "http"') });
});

test('a database of the operator’s own that does not answer ends the start, and nothing is left', async () => {
  const refusing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as { port: number };
  const { code } = await startAndFail({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` });
  refusing.close();
  expect(code).toBe(1);
  expect(leftovers()).toEqual([]);
});

test('marketctl uses the database of a running start, and starts its own when there is none', async () => {
  const marketctl = (...words: string[]) =>
    spawnSync('sh', ['local/marketctl.sh', ...words], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      encoding: 'utf8',
    });
  expect(marketctl('migrate', 'up')).toMatchObject({ status: 0 });
  const alone = marketctl('migrate', 'status');
  expect(alone).toMatchObject({ status: 0, stdout: expect.stringContaining('users') });
  expect(leftovers()).toEqual([]);
  await startAndWait();
  expect(marketctl('migrate', 'status').stdout).toBe(alone.stdout);
});
