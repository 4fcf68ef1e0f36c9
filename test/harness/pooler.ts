import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../local/ports.ts';

export interface Pooler {
  /** Converts a direct URL of a database into one through the pooler. */
  urlOf(database: string): string;
  close(): Promise<void>;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/**
 * Starts PgBouncer (Debian's package) in transaction mode in front of the server of `url`, with two connections per
 * database.
 */
export const startPooler = async (url: string): Promise<Pooler> => {
  const server = new URL(url);
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-pooler-'));
  chmodSync(directory, 0o755);
  const port = await findFreePort('127.0.0.1', 0);
  const address = { host: server.searchParams.get('host') ?? server.hostname, port: server.port || '5432' };
  const who = { user: decodeURIComponent(server.username), password: decodeURIComponent(server.password) };
  const target = Object.entries({ ...address, ...who }).flatMap(([key, value]) => (value ? [`${key}=${value}`] : []));
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 2,
    max_client_conn: 1000,
    // Seconds. The default of two minutes would block every request while the database is down.
    query_wait_timeout: 5,
    // As in CloudNativePG's pooler.
    ignore_startup_parameters: 'extra_float_digits,options',
    unix_socket_dir: '',
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = ${target.join(' ')}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // PgBouncer refuses to run as root. 65534 is the unprivileged user of Debian.
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child: ChildProcess = spawn('pgbouncer', ['-q', file], { ...account, stdio: ['ignore', 'inherit', 'inherit'] });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  while (!(await Promise.race([answers(port), failed]))) {
    if (child.exitCode !== null) throw new Error('pgbouncer ended at once');
    await sleep(20);
  }
  return {
    urlOf: (database) => `postgres://${who.user}@127.0.0.1:${port}${new URL(database).pathname}`,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
