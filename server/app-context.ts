import { join } from 'node:path';
import type { Config } from './config/load.ts';
import { type Listener, openListener } from './db/events.ts';
import { type ConnectOptions, connectDb, type Db } from './db/pools.ts';
import { openReads } from './db/replica.ts';
import { watchPulse } from './db/watchdog.ts';
import { openPublicMemory, type PublicMemory } from './features/ads/public-caches.ts';
import { openViewCounter, type ViewCounter } from './features/ads/views.ts';
import { openPasswords, type Passwords } from './features/auth/password.ts';
import { findImages } from './features/images/repository.ts';
import { loadPicture } from './features/images/service.ts';
import { type MessageFeed, openMessageFeed } from './features/messages/broker.ts';
import { readSiteStats } from './features/stats/repository.ts';
import { openVisitCounter, type VisitCounter } from './features/stats/visits.ts';
import { readPostTotals } from './features/x-posts/repository.ts';
import { type Images, openImages } from './integrations/images/images.ts';
import { type Mail, openMail } from './integrations/mail/mail.ts';
import { openImageStores } from './integrations/storage/create.ts';
import { type MediaCache, openMediaCache } from './integrations/storage/image-cache.ts';
import type { ImageStore } from './integrations/storage/storage.ts';
import { createXClient, type XClient } from './integrations/x/client.ts';
import { readJobTotals } from './jobs/queue-repository.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type AccessLog, type Logger, logAccessTo, openServerLog } from './observability/log.ts';
import { type Metrics, openMetrics } from './observability/metrics.ts';

const MEGABYTE = 1024 * 1024;

/** What every action may use. Opened once per process, by the server, the terminal or a test. */
export interface App extends PublicMemory {
  config: Config;
  log: Logger;
  /** One line a request. */
  accessLog: AccessLog;
  db: Db;
  /** The read replica, or `db` where there is none or it is behind: for lists, search and statistics. */
  readonly reads: Db;
  /** Reading from the replica failed. */
  suspectReplica(): void;
  listener: Listener;
  x: XClient;
  images: Images;
  /** Where new pictures go. */
  imageStore: ImageStore;
  /** Where a picture may be: `imageStore`, then the others that are set up. */
  imageStores: readonly ImageStore[];
  /** Pictures by name, cached. */
  media: MediaCache;
  mail: Mail;
  views: ViewCounter;
  /** What event streams tell of messages. */
  messageFeed: MessageFeed;
  visits: VisitCounter;
  passwords: Passwords;
  metrics: Metrics;
  clock: Clock;
  close(): Promise<void>;
}

export type AppParts = Partial<Pick<App, 'log' | 'x' | 'clock'>> & {
  /** How this process connects: its name in pg_stat_activity, its time limit for a statement. */
  connection?: Omit<ConnectOptions, 'url'>;
};

/** The only composition root. `parts` replaces what a test or the terminal brings itself. Connects to nothing yet. */
export function openApp(config: Config, parts: AppParts = {}): App {
  const { log, accessLog } = parts.log
    ? { log: parts.log, accessLog: logAccessTo(parts.log) }
    : openServerLog(config.logLevel);
  const connection = { name: 'tradepost', poolMax: config.databasePoolMax, ...parts.connection };
  const db = connectDb({ ...connection, url: config.databaseUrl });
  const replica = config.databaseReplicaUrl
    ? connectDb({ ...connection, url: config.databaseReplicaUrl, name: `${connection.name} reads` })
    : undefined;
  const reads = openReads(db, replica, log);
  // long work of the terminal has nobody waiting for an answer
  const pulses =
    parts.connection?.statementTimeout === 0
      ? []
      : [
          watchPulse(db, config.databaseDirectUrl, log),
          ...(replica ? [watchPulse(replica, config.databaseReplicaUrl ?? '', log)] : []),
        ];
  const listener = openListener(config.databaseDirectUrl, log);
  const clock = parts.clock ?? systemClock;
  const images = openImages({ onWorkerExit: (why) => log.warn({ why }, 'an image process ended') });
  const views = openViewCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  const visits = openVisitCounter(db, log, config.sessionKeys[0] ?? '', clock.now);
  const mail = openMail(config);
  const metrics = openMetrics({
    withProcess: config.metricsPort > 0,
    pools: { main: db, ...(replica && { reads: replica }) },
    images,
    readTotals: () => readTotals(reads.choose()),
  });
  const imageStores = openImageStores(config, db);
  const media = openMediaCache({
    directory: join(config.cacheDir, 'media'),
    diskBytes: config.cacheDiskMb * MEGABYTE,
    memoryBytes: config.cacheMemoryMb * MEGABYTE,
    load: (key) => loadPicture({ db, images, imageStore: imageStores[0], imageStores, log }, key),
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
    listener,
    x: parts.x ?? openX(config),
    images,
    imageStore: imageStores[0],
    imageStores,
    media,
    mail,
    views,
    ...openPublicMemory(),
    messageFeed: openMessageFeed(db, listener),
    visits,
    passwords: openPasswords(),
    metrics,
    clock,
    async close() {
      await Promise.all([views.close(), visits.close()]);
      mail.close();
      await Promise.all([listener.close(), images.close()]);
      await Promise.all([db.destroy(), reads.close(), ...pulses.map((pulse) => pulse.stop())]);
    },
  };
}

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
