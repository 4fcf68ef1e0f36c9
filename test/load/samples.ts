/** What a soak watches, and whether it stays flat. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Marketplace } from './marketplace.ts';

export interface Sample {
  atMs: number;
  rss: number;
  heap: number;
  loopDelay: number;
  handles: number;
  streams: number;
  connections: number;
  content: number;
  rest: number;
  deadRows: number;
  cache: number;
}
export type Watched = Exclude<keyof Sample, 'atMs'>;

export interface Quantity {
  key: Watched;
  name: string;
  /** The growth in an hour, by linear fit, above which the quantity is not flat. Absent: it may grow. */
  allowed?: number;
}

export const QUANTITIES: readonly Quantity[] = [
  { key: 'rss', name: 'resident memory, MiB', allowed: 24 },
  { key: 'heap', name: 'heap in use, MiB', allowed: 12 },
  { key: 'loopDelay', name: 'event-loop delay p99, ms', allowed: 5 },
  { key: 'handles', name: 'file handles', allowed: 10 },
  { key: 'streams', name: 'event streams' },
  { key: 'connections', name: 'PostgreSQL connections', allowed: 1 },
  { key: 'content', name: 'database: what was written, MiB' },
  { key: 'rest', name: 'database: everything else, MiB', allowed: 16 },
  { key: 'deadRows', name: 'database: dead rows, thousands', allowed: 50 },
  { key: 'cache', name: 'cache directory, MiB', allowed: 8 },
];

/**
 * Tables that keep a row of what people write or see, some of them for two days. All others hold work, counts or the
 * last minutes.
 */
const CONTENT = [
  'ad_images',
  'ad_places',
  'ad_prices',
  'ad_publications',
  'ad_terms',
  'ad_view_days',
  'ad_view_seen',
  'ad_views',
  'ads',
  'conversations',
  'favorites',
  'image_blobs',
  'images',
  'listed_ads',
  'messages',
  'notification_deliveries',
  'notifications',
  'search_words',
  'visits',
];

const MIB = 2 ** 20;

export interface TableSize {
  name: string;
  bytes: number;
  rows: number;
}

/** Every table with its indexes and large values, and the estimated number of its rows. */
export async function readTables({ app }: Marketplace): Promise<TableSize[]> {
  const { rows } = await app.db.raw<{ rows: { name: string; bytes: string; rows: string }[] }>(
    `select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows from pg_stat_user_tables`,
  );
  return rows.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) }));
}

function measureDirectory(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // the server may delete a file meanwhile
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

export async function takeSample(marketplace: Marketplace, startedMs: number): Promise<Sample> {
  const { app, readMetrics, cacheDirectory } = marketplace;
  const metrics = await readMetrics();
  const metric = (name: string) => metrics.get(`tradepost_${name}`) ?? Number.NaN;
  const { rows } = await app.db.raw<{ rows: { size: string; connections: string; dead: string }[] }>(
    `select pg_database_size(current_database()) as size,
       (select count(*) from pg_stat_activity where datname = current_database()
         and application_name not like 'tradepost bench%') as connections,
       (select sum(n_dead_tup) from pg_stat_user_tables) as dead`,
  );
  const { size, connections, dead } = rows[0]!;
  const tables = await readTables(marketplace);
  const content = tables.reduce((sum, { name, bytes }) => sum + (CONTENT.includes(name) ? bytes : 0), 0);
  return {
    atMs: performance.now() - startedMs,
    rss: metric('process_resident_memory_bytes') / MIB,
    heap: metric('nodejs_heap_size_used_bytes') / MIB,
    loopDelay: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    handles: metric('process_open_fds'),
    streams: metric('event_streams_open'),
    connections: Number(connections),
    content: content / MIB,
    rest: (Number(size) - content) / MIB,
    deadRows: Number(dead) / 1000,
    cache: measureDirectory(cacheDirectory) / MIB,
  };
}

/** The slope of the straight line through these points by least squares, per hour. */
export function fitPerHour(samples: readonly Pick<Sample, 'atMs'>[], values: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const hours = samples.map(({ atMs }) => atMs / 3_600_000);
  const [meanHour, meanValue] = [mean(hours), mean(values)];
  let [products, squares] = [0, 0];
  for (const [i, hour] of hours.entries()) {
    products += (hour - meanHour) * (values[i]! - meanValue);
    squares += (hour - meanHour) ** 2;
  }
  return squares === 0 ? 0 : products / squares;
}
