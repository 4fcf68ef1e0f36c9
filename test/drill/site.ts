// A marketplace for the drill: two replicas as processes, a PostgreSQL and an S3 service, with TCP proxies in between.
// Each part can be killed, paused, cut off or slowed.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../local/ports.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { spawnServer } from '../../local/server-process.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import { migrateUp } from '../../server/db/migrate.ts';
import { createPool, type Db } from '../../server/db/pools.ts';
import { seedCategories } from '../../server/features/categories/service.ts';
import { insertPlaces } from '../harness/factories.ts';
import { startFakeS3 } from '../harness/fake-s3.ts';
import { openProxy, type Proxy as TcpProxy } from '../harness/proxy.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUCKET = 'drill';
const TEMPLATE = 'drill_template';
const CACHE_MB = 4;
/** A replica that is not ready by then has a defect: on an idle machine it takes a second or two. */
const READY_MS = 300_000;

export interface DrillReplica {
  readonly name: 'first' | 'second';
  readonly url: string;
  readonly pid: number | undefined;
  /** Its way to PostgreSQL. */
  readonly database: TcpProxy;
  /** Its way to S3. */
  readonly objects: TcpProxy;
  /** Kills it with -9; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM); resolves when the process has ended. */
  stop(): Promise<void>;
  /** Starts it unless it runs. Does not wait until it is ready. */
  start(): Promise<void>;
  /** Resolves when it reports that it is ready. Throws if it never does. */
  ready(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Fills the disk of its image cache and uploads. Where the user may not mount one, the disk refuses every write. */
  fillDisk(): void;
  freeDisk(): void;
}

export interface DrillPostgres {
  /** Kills all of its processes with -9, as a loss of power does; resolves when they have ended. It starts again by itself. */
  kill(): Promise<void>;
  /** Kills the process of one connection of a replica with -9: PostgreSQL then ends all others and recovers. */
  killOneConnection(): Promise<void>;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
}

export interface DrillSite {
  readonly replicas: readonly [DrillReplica, DrillReplica];
  /** Straight to the database of the seed, past the proxies. Another one after `begin`. */
  readonly db: Db;
  readonly s3: Awaited<ReturnType<typeof startFakeS3>>;
  readonly postgres: DrillPostgres;
  readonly proxies: readonly TcpProxy[];
  /** The settings of a third process on the same database and bucket, past the proxies: for marketctl and services. */
  readonly environment: Readonly<Record<string, string>>;
  /** The replicas that ended by themselves since `begin`: always a defect. */
  readonly crashes: readonly string[];
  /** Gives a seed a new database, an empty bucket and empty caches, and starts both replicas on them. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

interface SiteOptions {
  /** Of this drill alone: data of PostgreSQL, caches, and the replicas' logs. The caller removes it. */
  directory: string;
  log: (line: string) => void;
}

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

const runAlone = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const readParent = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
  } catch {
    return 0;
  }
};

const listChildren = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(name) === parent)
    .map(Number);

/** The disk of a cache: a small file system of its own where the user may mount one. */
const openDisk = (directory: string) => {
  mkdirSync(directory, { recursive: true });
  const size = `size=${CACHE_MB}m`;
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', directory]).status === 0;
  const folders = ['media', 'uploads'].map((name) => join(directory, name));
  const filling = join(directory, 'filling');
  const clear = () => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
  };
  const fill = () => {
    try {
      writeFileSync(filling, Buffer.alloc(CACHE_MB * 2 ** 20));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  };
  /** A file where a folder is expected. */
  const block = () => {
    for (const folder of folders) {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, '');
    }
  };
  return {
    clear,
    fill: isMounted ? fill : block,
    free: () => {
      for (const path of isMounted ? [filling] : folders) rmSync(path, { force: true });
    },
    close: () => void (isMounted && spawnSync('umount', ['--lazy', directory])),
  };
};

const openPostgres = async ({ directory, log }: SiteOptions) => {
  const dataDir = join(directory, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  // readable by the unprivileged user that runs root's PostgreSQL
  for (const path of [directory, dataDir]) chmodSync(path, 0o755);
  // durable: what it has acknowledged survives a kill, after which the system keeps what was written; to wait for the disk
  // would protect from a loss of power only
  const server = await startPostgres({ dataDir, onEvent: log });
  await runAlone(server.url, 'alter system set fsync = off');
  await runAlone(server.url, 'select pg_reload_conf()');
  let paused: number[] = [];
  let killed: number | undefined;
  const resume = () => {
    for (const pid of paused) signal(pid, 'SIGCONT');
    paused = [];
  };
  const control: DrillPostgres = {
    async kill() {
      const { pid } = server;
      if (pid === undefined) return;
      const all = [pid, ...listChildren(pid)];
      for (const each of all) signal(each, 'SIGKILL');
      paused = [];
      killed = pid;
      while (server.pid === pid) await sleep(10);
    },
    async killOneConnection() {
      const { pid } = server;
      if (pid === undefined) return;
      const backends = listChildren(pid).filter((child) => /\[local\]/.test(readCommand(child)));
      if (backends.length > 0) signal(backends[backends.length - 1]!, 'SIGKILL');
    },
    async start() {
      resume();
      for (;;) {
        const isUp = server.pid !== undefined && server.pid !== killed;
        if (
          isUp &&
          (await runAlone(withDatabase(server.url, 'postgres'), 'select 1').then(
            () => true,
            () => false,
          ))
        )
          return;
        await sleep(50);
      }
    },
    pause() {
      const { pid } = server;
      if (pid === undefined) return;
      paused = [pid, ...listChildren(pid)];
      for (const each of paused) signal(each, 'SIGSTOP');
    },
    resume,
  };
  return { server, control };
};

const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

interface ReplicaOptions {
  name: DrillReplica['name'];
  directory: string;
  log: (line: string) => void;
  /** Without the port and the address. */
  settings: () => Record<string, string>;
  database: TcpProxy;
  objects: TcpProxy;
  onCrash: (line: string) => void;
}

const openReplica = async ({ name, directory, log, settings, database, objects, onCrash }: ReplicaOptions) => {
  const port = await findFreePort('127.0.0.1', 0);
  const url = `http://localhost:${port}`;
  const cacheDir = join(directory, `cache-${name}`);
  const disk = openDisk(cacheDir);
  let child: ChildProcess | undefined;
  let isWanted = false;

  const start = async () => {
    isWanted = true;
    if (child) return;
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(ROOT, '.cache/node'),
      ...settings(),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      CACHE_DIR: cacheDir,
    };
    const started = spawnServer({ root: ROOT, env, logFile: join(directory, `${name}.log`) });
    child = started;
    started.once('exit', (code, ended) => {
      if (child === started) child = undefined;
      if (!isWanted) return;
      onCrash(`the ${name} replica ended by itself (${ended ?? `exit code ${code}`})`);
      void start();
    });
  };
  const end = async (how: NodeJS.Signals) => {
    isWanted = false;
    const ending = child;
    if (!ending) return;
    const ended = once(ending, 'exit');
    ending.kill(how);
    await ended;
  };
  const isReady = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const replica: DrillReplica = {
    name,
    url,
    get pid() {
      return child?.pid;
    },
    database,
    objects,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async ready() {
      for (const giveUpAt = Date.now() + READY_MS; !(await isReady()); await sleep(50))
        if (Date.now() > giveUpAt) throw new Error(`the ${name} replica does not become ready: see ${name}.log`);
    },
    pause: () => void (child?.pid && signal(child.pid, 'SIGSTOP')),
    resume: () => void (child?.pid && signal(child.pid, 'SIGCONT')),
    fillDisk: disk.fill,
    freeDisk: disk.free,
  };
  log(`the ${name} replica: ${url}`);
  return { replica, disk };
};

/** Opens the drill's site; call `begin` before each seed. Takes some ten seconds, most of them for the migrations. */
export const openDrillSite = async (options: SiteOptions): Promise<DrillSite> => {
  const { directory, log } = options;
  mkdirSync(directory, { recursive: true });
  const { server, control } = await openPostgres(options);
  await createTemplate(server.url);
  const s3 = await startFakeS3(BUCKET);
  const crashes: string[] = [];
  let number = 0;
  let db: Db | undefined;
  const database = () => `drill_${number}`;

  const common = {
    NODE_ENV: 'test',
    AUTH_TEST_USERS: 'on',
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '0s',
    SHUTDOWN_TIMEOUT: '3s',
    IMAGE_STORE: 's3',
    S3_BUCKET: BUCKET,
    S3_REGION: 'test-1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const settings = (databaseUrl: string, s3Endpoint: string) => ({
    ...common,
    DATABASE_URL: withDatabase(databaseUrl, database()),
    S3_ENDPOINT: s3Endpoint,
  });
  const open = async (name: DrillReplica['name']) => {
    const toDatabase = await openProxy(new URL(server.url));
    const toObjects = await openProxy(new URL(s3.endpoint));
    return openReplica({
      name,
      directory,
      log,
      settings: () => settings(toDatabase.url, toObjects.url),
      database: toDatabase,
      objects: toObjects,
      onCrash: (line) => {
        crashes.push(line);
        log(line);
      },
    });
  };
  const opened = [await open('first'), await open('second')] as const;
  const replicas = [opened[0].replica, opened[1].replica] as const;
  const proxies = replicas.flatMap((replica) => [replica.database, replica.objects]);
  const endReplicas = () => Promise.all(replicas.map((replica) => replica.kill()));
  const onExit = () => {
    for (const { disk } of opened) disk.close();
  };
  process.once('exit', onExit);

  return {
    replicas,
    get db() {
      if (!db) throw new Error('call begin() first');
      return db;
    },
    s3,
    postgres: control,
    proxies,
    get environment() {
      return { ...settings(server.url, s3.endpoint), CACHE_DIR: join(directory, 'cache-third') };
    },
    crashes,
    async begin() {
      await endReplicas();
      await db?.destroy();
      const before = database();
      number++;
      await runAlone(server.url, `drop database if exists ${before} with (force)`);
      await runAlone(server.url, `create database ${database()} template ${TEMPLATE}`);
      db = createPool({ url: withDatabase(server.url, database()), name: 'drill', statementTimeout: 60_000 });
      s3.objects.clear();
      crashes.length = 0;
      for (const { disk } of opened) disk.clear();
      for (const replica of replicas) await replica.start();
      for (const replica of replicas) await replica.ready();
    },
    async close() {
      await endReplicas();
      for (const proxy of proxies) proxy.close();
      await db?.destroy();
      await s3.close();
      await server.stop();
      onExit();
      process.off('exit', onExit);
      if (server.movedTo && existsSync(server.movedTo)) rmSync(server.movedTo, { recursive: true, force: true });
    },
  };
};

const createTemplate = async (serverUrl: string): Promise<void> => {
  await runAlone(serverUrl, `create database ${TEMPLATE}`);
  const url = withDatabase(serverUrl, TEMPLATE);
  await migrateUp({ url });
  // the first connection with a moved clock changes the defaults of columns, which waits for every transaction
  const db = createPool({ url, name: 'drill template', clockOffset: 1000 });
  try {
    await seedCategories({ db }, categories);
    // else each seed begins with a job that loads all places of the world
    await insertPlaces({ db });
  } finally {
    await db.destroy();
  }
};
