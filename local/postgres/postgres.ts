import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { choosePlace, chooseSocketDirectory, chownTo, type Place } from './installation.ts';

const DATABASE = 'tradepost';

export interface PostgresOptions {
  /**
   * Data is stored in `dataDir`/postgres, the log in `dataDir`/postgres.log. Only one process may use it: see lock.ts.
   */
  dataDir: string;
  /** False is faster but unsafe after a crash: for tests only. Default true. */
  durable?: boolean;
  onEvent?: (message: string) => void;
}

export interface Postgres {
  /** The connection string of the database `tradepost`. It stays the same after a restart. */
  readonly url: string;
  readonly pid: number | undefined;
  readonly movedTo: string | undefined;
  stop: () => Promise<void>;
}

const socketUrl = (socketDirectory: string, database = DATABASE): string =>
  `postgres://tradepost@localhost/${database}?host=${encodeURIComponent(socketDirectory)}`;

const createDatabase = async (socketDirectory: string): Promise<void> => {
  const client = new pg.Client({ connectionString: socketUrl(socketDirectory, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
};

const MAX_PAUSE_MS = 5_000;
const FIRST_START_TIMEOUT_MS = 3_000;

/**
 * Starts PostgreSQL on `dataDir` and keeps it running. Creates the database at the first start and recovers after a
 * crash. The error message is for the operator.
 */
export const startPostgres = async ({
  dataDir,
  durable = true,
  onEvent = () => {},
}: PostgresOptions): Promise<Postgres> => {
  const place = choosePlace(dataDir);
  await createCluster(place, durable);
  const socketDirectory = chooseSocketDirectory(place);
  const startOnce = async (): Promise<ChildProcess> => {
    await clearOrphan(place.directory);
    return startPostmaster(place, socketDirectory, durable);
  };

  let stopping = false;
  let restarting: Promise<void> | undefined;
  let child: ChildProcess | undefined;

  // After kill -9, a new postmaster cannot start until the children of the old one have ended.
  const restart = async (): Promise<void> => {
    for (let pause = 100; !child && !stopping; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        child = await startOnce();
        onEvent(`PostgreSQL is back (pid ${child.pid}).`);
      } catch (error) {
        onEvent(`${(error as Error).message}\nTrying again in ${pause} ms.`);
        await sleep(pause);
      }
    }
    restarting = undefined;
    watch();
  };
  const watch = (): void => {
    child?.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      onEvent(`PostgreSQL ended (${signal ?? `exit code ${code}`}); starting it again.`);
      restarting = restart();
    });
  };

  // Retries briefly: a zombie or the children of a killed postmaster may still prevent the start.
  for (const end = Date.now() + FIRST_START_TIMEOUT_MS; !child; ) {
    child = await startOnce().catch(async (error: unknown) => {
      if (Date.now() > end) throw error;
      await sleep(200);
      return undefined;
    });
  }
  watch();
  await createDatabase(socketDirectory);
  return {
    url: socketUrl(socketDirectory),
    get pid() {
      return child?.pid;
    },
    movedTo: place.movedTo,
    stop: async () => {
      stopping = true;
      await restarting;
      if (child) await stopPostmaster(child);
      if (socketDirectory !== place.directory) rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
};

const megabytes = (share: number, most: number): string =>
  `${Math.max(32, Math.min(most, Math.floor((totalmem() / 2 ** 20) * share)))}MB`;

const settings = (socketDirectory: string, durable: boolean): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: '5432',
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: megabytes(1 / 8, 512),
  effective_cache_size: megabytes(1 / 2, 16_384),
  // For short queries, JIT compilation and parallel workers cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  work_mem: '16MB',
  ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }),
});

const logSince = (file: string, start: number): string => {
  const lines = readFileSync(file).subarray(start).toString().trim().split('\n');
  return lines.slice(-5).join('\n');
};

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/**
 * Starts a postmaster and waits until it accepts connections. It runs in its own session: Ctrl-C signals all our
 * processes, and the server must finish its requests before the database stops. If the postmaster ends, throws the last
 * lines of its log.
 */
const startPostmaster = async (place: Place, socketDirectory: string, durable: boolean): Promise<ChildProcess> => {
  const log = openSync(place.logFile, 'a');
  const { size } = statSync(place.logFile);
  const flags = Object.entries(settings(socketDirectory, durable)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawn(place.binaries.postgres, ['-D', place.directory, ...flags], {
    ...place.account,
    cwd: '/',
    detached: true,
    env: cleanEnvironment(),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn');
  while (isRunning(child)) {
    const file = readPidFile(place.directory);
    if (file?.pid === child.pid && file?.ready) return child;
    await sleep(10);
  }
  throw new Error(`PostgreSQL did not start:\n${logSince(place.logFile, size)}`);
};

/**
 * Stops a postmaster with a fast shutdown: disconnects clients and keeps all committed data. Resolves when the process
 * has ended.
 */
const stopPostmaster = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
};

const run = promisify(execFile);

const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

const assertSameMajor = ({ directory, binaries }: Place): void => {
  const made = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (made !== ours)
    throw new Error(
      `${directory} was made by PostgreSQL ${made}, but this checkout brings ${ours}. Back up with the older checkout and ` +
        'restore here, or choose another DATA_DIR.',
    );
};

/** The complete environment of PostgreSQL, so that it inherits no other variables. */
const cleanEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: LOCALE, TZ: 'UTC' });

// ICU's root collation gives a natural order and does not depend on the machine's locales.
const initdbArguments = (directory: string, durable: boolean): string[] => [
  `--pgdata=${directory}`,
  '--username=tradepost',
  // There is no TCP listener, and only the owner of the socket's directory can connect.
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  `--lc-ctype=${LOCALE}`,
  `--lc-collate=${LOCALE}`,
  '--locale-provider=icu',
  '--icu-locale=und',
  // Without a schema: initdb adds one, and a doubled schema fails every parallel worker.
  '--text-search-config=english',
  ...(durable ? [] : ['--no-sync']),
];

/** Creates the data directory if it does not exist. Repeats an interrupted creation. */
const createCluster = async (place: Place, durable: boolean): Promise<void> => {
  const { directory, account, binaries } = place;
  if (existsSync(join(directory, 'PG_VERSION'))) return assertSameMajor(place);
  const unfinished = `${directory}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  chownTo(account, unfinished);
  await run(binaries.initdb, initdbArguments(unfinished, durable), { ...account, cwd: '/', env: cleanEnvironment() });
  renameSync(unfinished, directory);
};

const accepts = async (socketDirectory: string): Promise<boolean> => {
  const socket = connect(join(socketDirectory, '.s.PGSQL.5432'));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

const waitForEnd = async (pid: number, directory: string, milliseconds: number): Promise<boolean> => {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(20))
    if (!isPostmaster(pid, directory)) return true;
  return false;
};

const stopOrphan = async (pid: number, directory: string): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    if (await waitForEnd(pid, directory, 10_000)) return;
  }
  throw new Error(`The PostgreSQL of ${directory} (pid ${pid}) does not stop; end it and start again.`);
};

/**
 * Prepares `directory` for a new postmaster after an earlier run was killed with -9. Stops a postmaster that is still
 * running. Removes the pid file if its process has ended, is a zombie, or is now an unrelated process: PostgreSQL
 * itself would refuse to start, permanently if that process has the same user.
 */
const clearOrphan = async (directory: string): Promise<void> => {
  const left = readPidFile(directory);
  if (!left) return;
  if (isPostmaster(left.pid, directory)) return stopOrphan(left.pid, directory);
  // It accepts connections but is not a process of this machine: another container uses the same volume.
  if (left.socketDirectory && (await accepts(left.socketDirectory)))
    throw new Error(`Another PostgreSQL, outside this system, is running on ${directory}.`);
  rmSync(pidFilePath(directory), { force: true });
};

/** The pid file that a postmaster writes into its data directory; see pidfile.h of PostgreSQL. */
interface PidFile {
  pid: number;
  socketDirectory: string;
  ready: boolean;
}

const pidFilePath = (directory: string): string => join(directory, 'postmaster.pid');

export const readPidFile = (directory: string): PidFile | undefined => {
  const path = pidFilePath(directory);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n');
  const pid = Math.abs(Number(lines[0]));
  return pid ? { pid, socketDirectory: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' } : undefined;
};

const readProcess = (pid: number): { zombie: boolean; command: string } | undefined => {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return { zombie: /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2)), command };
    }
    const line = execFileSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { zombie: line.startsWith('Z'), command: line };
  } catch {
    return undefined;
  }
};

/** Whether `pid` is a running postmaster of `directory`. The pid may belong to a zombie or to another program. */
export const isPostmaster = (pid: number, directory: string): boolean => {
  const found = readProcess(pid);
  return (
    found !== undefined && !found.zombie && found.command.includes('postgres') && found.command.includes(directory)
  );
};
