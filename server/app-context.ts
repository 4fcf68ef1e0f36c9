import { join } from 'node:path';
import type { Config } from './config/load.ts';
import { createEvents, type Events } from './db/events.ts';
import { type ConnectOptions, createPool, type Db, JOBS_POOL } from './db/pools.ts';
import { onStatementLost } from './db/prepared.ts';
import { createReads } from './db/replica.ts';
import { type AdJsonCache, createAdJsonCache } from './features/ads/ad-json-cache.ts';
import { createPasswords, type Passwords } from './features/auth/password.ts';
import { loadImage } from './features/images/files.ts';
import { findImages } from './features/images/repository.ts';
import { createMessageBroker, type MessageBroker } from './features/messages/broker.ts';
import { createPresence } from './features/messages/presence.ts';
import { readDeliveryTotals } from './features/notifications/delivery-repository.ts';
import {
  createViewCounter,
  createVisitCounter,
  type ViewCounter,
  type VisitCounter,
} from './features/stats/counters.ts';
import { readSiteStats } from './features/stats/repository.ts';
import { readPostTotals } from './features/x-posts/repository.ts';
import { createImages, type Images } from './integrations/images/images.ts';
import { createMailer, type Mailer } from './integrations/mail/mail.ts';
import { createImageStores } from './integrations/storage/create.ts';
import { createImageCache, type ImageCache } from './integrations/storage/image-cache.ts';
import type { ImageStore } from './integrations/storage/storage.ts';
import { createXClient, type XClient } from './integrations/x/client.ts';
import { readJobTotals } from './jobs/queue.ts';
import { type AccessLog, createServerLog, type Logger, logAccessTo } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';

const MEGABYTE = 1024 * 1024;

export interface Clock {
  now(): Date;
}

/** The parts of the running process that services and jobs use. The server, a command or a test creates it once. */
export interface AppContext {
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
  imageCache: ImageCache;
  mailer: Mailer;
  views: ViewCounter;
  messageBroker: MessageBroker;
  visits: VisitCounter;
  adJsonCache: AdJsonCache;
  passwords: Passwords;
  metrics: Metrics;
  clock: Clock;
  close(): Promise<void>;
}

export type AppContextParts = Partial<Pick<AppContext, 'log' | 'x' | 'clock'>> & {
  connection?: Omit<ConnectOptions, 'url'>;
};

/** The only composition root. Each connection opens on first use. */
export function createAppContext(config: Config, parts: AppContextParts = {}): AppContext {
  const { log, accessLog } = parts.log
    ? { log: parts.log, accessLog: logAccessTo(parts.log) }
    : createServerLog(config.logLevel);
  const clock = parts.clock ?? createClock(config.clockOffset);
  const { db, jobsDb, replica } = createPools(config, parts.connection);
  const reads = createReads(db, replica, log);
  const events = createEvents(config.databaseDirectUrl, log);
  const images = createImages({ onWorkerExit: (why) => log.warn({ why }, 'an image process ended') });
  const views = createViewCounter(db, log, config.sessionKeys[0] ?? '', clock.now, config.timeZone);
  const visits = createVisitCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  const presence = createPresence(db, log);
  const mailer = createMailer(config);
  const metrics = createMetrics({
    withProcess: config.metricsPort > 0,
    pools: { main: db, jobs: jobsDb, ...(replica && { reads: replica }) },
    images,
    readTotals: () => readTotals(reads.choose()),
  });
  for (const pool of [db, jobsDb, ...(replica ? [replica] : [])])
    onStatementLost(pool, (code) => {
      log.warn({ sqlState: code }, 'a prepared statement was lost: this pool goes without them for ten minutes');
      metrics.statementLost();
    });
  const imageStores = createImageStores(config, db);
  const imageCache = createImageCache({
    directory: join(config.cacheDir, 'media'),
    diskBytes: config.cacheDiskMb * MEGABYTE,
    memoryBytes: config.cacheMemoryMb * MEGABYTE,
    load: (key) => loadImage({ db, images, imageStore: imageStores[0], imageStores, log }, key),
    findExisting: (sha256s) => findImages(db, sha256s),
    onDiskError: (err) => log.warn({ err }, 'the image cache cannot be written'),
  });
  return {
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
    imageCache,
    mailer,
    views,
    adJsonCache: createAdJsonCache(),
    messageBroker: createMessageBroker(db, events, presence),
    visits,
    passwords: createPasswords(),
    metrics,
    clock,
    async close() {
      await Promise.all([views.flush(), visits.flush(), presence.close()]);
      mailer.close();
      await Promise.all([events.close(), images.close()]);
      await Promise.all([db.destroy(), jobsDb.destroy(), reads.close()]);
    },
  };
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

const readTotals = async (db: Db): Promise<Record<string, number>> => ({
  ...(await readSiteStats(db)),
  ...(await readPostTotals(db)),
  ...(await readJobTotals(db)),
  ...(await readDeliveryTotals(db)),
});
