import { setCurrency } from '../contract/money.ts';
import type { Config } from './config/load.ts';
import { createEvents, type Events } from './db/events.ts';
import { type ConnectOptions, createPool, type Db, JOBS_POOL, readPoolState } from './db/pools.ts';
import { onStatementLost } from './db/prepared.ts';
import { createReads } from './db/replica.ts';
import { createImages, type Images } from './integrations/images/images.ts';
import { createMailer, type Mailer } from './integrations/mail/mail.ts';
import { createImageStores } from './integrations/storage/create.ts';
import type { ImageStore } from './integrations/storage/storage.ts';
import { createXClient, type XClient } from './integrations/x/client.ts';
import { type AccessLog, createServerLog, type Logger, logAccessTo } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';

export interface Clock {
  now(): Date;
}

/**
 * The infrastructure that services and jobs use: the server, a command or a test creates it once. What belongs to a feature
 * and lives as long as the process is `perProcess` of that feature.
 */
export interface AppContext {
  /** The context as the process created it: with the pools, not in a transaction. */
  readonly root: AppContext;
  config: Config;
  log: Logger;
  accessLog: AccessLog;
  /** The pool for requests (statements end after 5 s). `withDatabase` puts a transaction or the jobs pool here. */
  db: Db;
  /** The pool for jobs, which is their `ctx.db`: jobs never use up the connections of requests. */
  jobsDb: Db;
  readonly reads: Db;
  /** Reads from the primary until the next check of the replica. Call it when a query on the replica failed. */
  suspectReplica(): void;
  events: Events;
  x: XClient;
  images: Images;
  imageStore: ImageStore;
  imageStores: readonly ImageStore[];
  mailer: Mailer;
  metrics: Metrics;
  clock: Clock;
  /** Reads for somebody who has just written: answers from before the write are wrong. */
  bypassesCaches?: true;
  /** `end` runs when the process ends, while the pools are still open. */
  onClose(end: () => Promise<void>): void;
  close(): Promise<void>;
}

export type AppContextParts = Partial<Pick<AppContext, 'log' | 'x' | 'clock'>> & {
  connection?: Omit<ConnectOptions, 'url'>;
};

/**
 * Something that a feature keeps as long as the process lives: a cache, a counter, a gate. It is made from the root context,
 * when it is first asked for.
 */
export function perProcess<T>(create: (root: AppContext) => T): (ctx: Pick<AppContext, 'root'>) => T {
  const made = new WeakMap<AppContext, T>();
  return ({ root }) => {
    const before = made.get(root);
    if (before !== undefined) return before;
    const created = create(root);
    made.set(root, created);
    return created;
  };
}

/** The only composition root. Each connection opens on first use. */
export function createAppContext(config: Config, parts: AppContextParts = {}): AppContext {
  setCurrency(config.currency);
  const { log, accessLog } = parts.log
    ? { log: parts.log, accessLog: logAccessTo(parts.log) }
    : createServerLog(config.logLevel);
  const clock = parts.clock ?? createClock(config.clockOffset);
  const { db, jobsDb, replica } = createPools(config, parts.connection);
  const reads = createReads(db, replica, log);
  const events = createEvents(config.databaseDirectUrl, log);
  const images = createImages({ onWorkerExit: (why) => log.warn({ why }, 'an image process ended') });
  const mailer = createMailer(config);
  const metrics = createMetrics({
    withProcess: config.metricsPort > 0,
    pools: {
      main: () => readPoolState(db),
      jobs: () => readPoolState(jobsDb),
      ...(replica && { reads: () => readPoolState(replica) }),
    },
    images,
  });
  for (const pool of [db, jobsDb, ...(replica ? [replica] : [])])
    onStatementLost(pool, (code) => {
      log.warn({ sqlState: code }, 'a prepared statement was lost: this pool goes without them for ten minutes');
      metrics.statementLost();
    });
  const imageStores = createImageStores(config, db);
  const closing: (() => Promise<void>)[] = [];
  const root: AppContext = {
    get root() {
      return root;
    },
    config,
    log,
    accessLog,
    db,
    jobsDb,
    get reads() {
      return reads.choose();
    },
    suspectReplica: reads.suspect,
    events,
    x: parts.x ?? createXClient(config.x),
    images,
    imageStore: imageStores[0],
    imageStores,
    mailer,
    metrics,
    clock,
    onClose: (end) => closing.push(end),
    async close() {
      await Promise.all(closing.map((end) => end()));
      mailer.close();
      await Promise.all([events.close(), images.close()]);
      await Promise.all([db.destroy(), jobsDb.destroy(), reads.close()]);
    },
  };
  return root;
}

/** The clock of services; the pools move that of SQL by the same offset, in milliseconds. */
export const createClock = (offset: number): Clock => ({ now: () => new Date(Date.now() + offset) });

function createPools(config: Config, options: AppContextParts['connection']) {
  const { clockOffset } = config;
  const connection = { name: 'tradepost', poolMax: config.databasePoolMax, clockOffset, ...options };
  const create = (url: string, name: string, more: Partial<ConnectOptions> = {}) =>
    createPool({ ...connection, ...more, url, name });
  const jobs = connection.statementTimeout === 0 ? {} : JOBS_POOL;
  return {
    // a pooler drops the settings that move the clock
    db: create(clockOffset === 0 ? config.databaseUrl : config.databaseDirectUrl, connection.name),
    jobsDb: create(config.databaseDirectUrl, `${connection.name} jobs`, jobs),
    replica: config.databaseReplicaUrl ? create(config.databaseReplicaUrl, `${connection.name} reads`) : undefined,
  };
}
