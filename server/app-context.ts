import { join } from 'node:path';
import type { Config } from './config/load.ts';
import { createEvents, type Events } from './db/events.ts';
import { type ConnectOptions, createPool, type Db, type Trx } from './db/pools.ts';
import { createReads } from './db/replica.ts';
import { startWatchdog } from './db/watchdog.ts';
import { type AdJsonCache, createAdJsonCache } from './features/ads/ad-json-cache.ts';
import { createViewCounter, type ViewCounter } from './features/ads/views.ts';
import { createPasswords, type Passwords } from './features/auth/password.ts';
import { findImages } from './features/images/repository.ts';
import { loadImage } from './features/images/service.ts';
import { createMessageBroker, type MessageBroker } from './features/messages/broker.ts';
import { readSiteStats } from './features/stats/repository.ts';
import { createVisitCounter, type VisitCounter } from './features/stats/visits.ts';
import { readPostTotals } from './features/x-posts/repository.ts';
import { createImages, type Images } from './integrations/images/images.ts';
import { createMailer, type Mailer } from './integrations/mail/mail.ts';
import { createImageStores } from './integrations/storage/create.ts';
import { createImageCache, type ImageCache } from './integrations/storage/image-cache.ts';
import type { ImageStore } from './integrations/storage/storage.ts';
import { createXClient, type XClient } from './integrations/x/client.ts';
import { readJobTotals } from './jobs/queue-repository.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type AccessLog, createServerLog, type Logger, logAccessTo } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';

const MEGABYTE = 1024 * 1024;

/** What every action may use. Opened once per process, by the server, the terminal or a test. */
export interface AppContext {
  config: Config;
  log: Logger;
  /** One line a request. */
  accessLog: AccessLog;
  db: Db;
  /** The read replica, or `db` where there is none or it is behind: for lists, search and statistics. */
  readonly reads: Db;
  /** Reading from the replica failed. */
  suspectReplica(): void;
  events: Events;
  x: XClient;
  images: Images;
  /** Where new pictures go. */
  imageStore: ImageStore;
  /** Where a picture may be: `imageStore`, then the others that are set up. */
  imageStores: readonly ImageStore[];
  /** Pictures by name, cached. */
  imageCache: ImageCache;
  mailer: Mailer;
  views: ViewCounter;
  /** What event streams tell of messages. */
  messageBroker: MessageBroker;
  visits: VisitCounter;
  /** Public ads as JSON, for lists. */
  adJsonCache: AdJsonCache;
  passwords: Passwords;
  metrics: Metrics;
  clock: Clock;
  close(): Promise<void>;
}

export type AppContextParts = Partial<Pick<AppContext, 'log' | 'x' | 'clock'>> & {
  /** How this process connects: its name in pg_stat_activity, its time limit for a statement. */
  connection?: Omit<ConnectOptions, 'url'>;
};

/** The only composition root. `parts` replaces what a test or the terminal brings itself. Connects to nothing yet. */
export function createAppContext(config: Config, parts: AppContextParts = {}): AppContext {
  const { log, accessLog } = parts.log
    ? { log: parts.log, accessLog: logAccessTo(parts.log) }
    : createServerLog(config.logLevel);
  const connection = { name: 'tradepost', poolMax: config.databasePoolMax, ...parts.connection };
  const db = createPool({ ...connection, url: config.databaseUrl });
  const replica = config.databaseReplicaUrl
    ? createPool({ ...connection, url: config.databaseReplicaUrl, name: `${connection.name} reads` })
    : undefined;
  const reads = createReads(db, replica, log);
  // long work of the terminal has nobody waiting for an answer
  const pulses =
    parts.connection?.statementTimeout === 0
      ? []
      : [
          startWatchdog(db, config.databaseDirectUrl, log),
          ...(replica ? [startWatchdog(replica, config.databaseReplicaUrl ?? '', log)] : []),
        ];
  const events = createEvents(config.databaseDirectUrl, log);
  const clock = parts.clock ?? systemClock;
  const images = createImages({ onWorkerExit: (why) => log.warn({ why }, 'an image process ended') });
  const views = createViewCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  const visits = createVisitCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  const mailer = createMailer(config);
  const metrics = createMetrics({
    withProcess: config.metricsPort > 0,
    pools: { main: db, ...(replica && { reads: replica }) },
    images,
    readTotals: () => readTotals(reads.choose()),
  });
  const imageStores = createImageStores(config, db);
  const imageCache = createImageCache({
    directory: join(config.cacheDir, 'media'),
    diskBytes: config.cacheDiskMb * MEGABYTE,
    memoryBytes: config.cacheMemoryMb * MEGABYTE,
    load: (key) => loadImage({ db, images, imageStore: imageStores[0], imageStores, log }, key),
    findExisting: (sha256s) => findImages(db, sha256s),
    onDiskError: (err) => log.warn({ err }, 'the picture cache cannot be written'),
  });
  return {
    config,
    log,
    accessLog,
    db,
    get reads() {
      return reads.choose();
    },
    suspectReplica: reads.suspect,
    events,
    x: parts.x ?? openX(config),
    images,
    imageStore: imageStores[0],
    imageStores,
    imageCache,
    mailer,
    views,
    adJsonCache: createAdJsonCache(),
    messageBroker: createMessageBroker(db, events),
    visits,
    passwords: createPasswords(),
    metrics,
    clock,
    async close() {
      await Promise.all([views.close(), visits.close()]);
      mailer.close();
      await Promise.all([events.close(), images.close()]);
      await Promise.all([db.destroy(), reads.close(), ...pulses.map((pulse) => pulse.stop())]);
    },
  };
}

/** The same context with other connections. In a transaction `reads` is the transaction too: what it wrote is read back. */
export const withConnections = (ctx: AppContext, connections: Pick<AppContext, 'db' | 'reads'>): AppContext => ({
  ...ctx,
  ...connections,
});

export const withTransaction = (ctx: AppContext, trx: Trx): AppContext => withConnections(ctx, { db: trx, reads: trx });

/** What the marketplace holds, for metrics. */
const readTotals = async (db: Db): Promise<Record<string, number>> => ({
  ...(await readSiteStats(db)),
  ...(await readPostTotals(db)),
  ...(await readJobTotals(db)),
});

const openX = (config: Config): XClient =>
  createXClient({
    mode: config.xMode,
    sandboxUrl: config.xSandboxUrl,
    clientId: config.xClientId ?? '',
    clientSecret: config.xClientSecret ?? '',
  });
