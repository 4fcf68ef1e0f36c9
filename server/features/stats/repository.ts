import { LIMITS } from '../../../contract/limits.ts';
import type { SiteStats } from '../../../contract/stats.ts';
import { streamRows } from '../../db/bulk.ts';
import type { ConnectOptions, Db } from '../../db/pools.ts';

export const readSiteStats = async (db: Db): Promise<SiteStats> => {
  const { rows } = await db.raw<{ rows: SiteStats[] }>(
    `select coalesce(sum(value) filter (where key like 'unsold:%'), 0)::int as "activeAds",
       coalesce(sum(value) filter (where key = 'users'), 0)::int as users,
       (select count(*) from categories where not is_disabled)::int as categories
     from counter_totals`,
  );
  return rows[0]!;
};

export const countByCategory = async (db: Db): Promise<{ name: string; slug: string; count: number }[]> => {
  const { rows } = await db.raw<{ rows: { name: string; slug: string; count: number }[] }>(
    `select c.name, c.slug, coalesce(t.value, 0)::int as count from categories c
     left join counter_totals t on t.key = 'listed:' || c.id
     where not c.is_disabled or t.value > 0 order by c.position`,
  );
  return rows;
};

export const BUCKETS = ['hour', 'day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface Metric {
  table: string;
  at: string;
  value: string;
  /** 'text' for a sum of money, whose cents stay. */
  type: 'int' | 'text';
  where?: string;
  /** After how many days rows are deleted; null: never. Earlier days are not counted again. */
  keptDays: number | null;
  meaning: string;
}

/** A count of rows that stay. */
export const COUNT = { value: 'count(*)', type: 'int', keptDays: null } as const;

export const METRICS = {
  signups: { table: 'users', at: 'created_at', ...COUNT, meaning: 'users who signed up' },
  ads: { table: 'ads', at: 'created_at', ...COUNT, meaning: 'ads posted' },
  sold: {
    table: 'ads',
    at: 'sold_at',
    ...COUNT,
    where: "is_sold and state <> 'deleted'",
    meaning: 'ads marked as sold',
  },
  revenue: {
    table: 'ads',
    at: 'sold_at',
    value: 'sum(price)',
    type: 'text',
    keptDays: null,
    where: "is_sold and state <> 'deleted'",
    meaning: 'their prices, in the currency of the marketplace',
  },
  deletedAds: { table: 'ads', at: 'deleted_at', ...COUNT, where: "state = 'deleted'", meaning: 'ads deleted' },
  conversations: { table: 'conversations', at: 'created_at', ...COUNT, meaning: 'conversations begun' },
  messages: { table: 'messages', at: 'created_at', ...COUNT, meaning: 'messages sent' },
  favorites: { table: 'favorites', at: 'created_at', ...COUNT, meaning: 'favorites that still stand' },
  visits: { table: 'visits', at: 'started_at', ...COUNT, keptDays: LIMITS.visitDays, meaning: 'visits' },
  visitors: {
    table: 'visits',
    at: 'started_at',
    ...COUNT,
    value: 'count(distinct visitor)',
    keptDays: LIMITS.visitDays,
    meaning: 'visitors',
  },
  bans: { table: 'audit_log', at: 'at', ...COUNT, where: "action = 'user.ban'", meaning: 'users banned' },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

export interface StatsExport {
  bucket: Bucket;
  metrics: readonly MetricName[];
  /** ISO 8601; undefined starts at the first user or ad. */
  from?: string | undefined;
  /** ISO 8601, exclusive. */
  to: string;
  timeZone: string;
}

/** One bucket: its local start and a number for each metric; revenue is a decimal string. */
export type StatsRow = { bucket: string } & Partial<Record<MetricName, number | string>>;

const toCte = (name: MetricName): string => {
  const { table, at, value, where } = METRICS[name] as Metric;
  return `m_${name} as (select date_trunc($1, ${at}, $2) as b, ${value} as n from ${table}
    where ${at} >= (select lower from span) and ${at} < $4 ${where ? `and ${where}` : ''} group by 1)`;
};

// Hours are steps of absolute time, longer buckets steps of the calendar: a day of 23 hours is one bucket. Buckets that
// the steps miss (half-hour clock changes) are added from the data.
const toSql = (bucket: Bucket, metrics: readonly MetricName[]): string => {
  const steps =
    bucket === 'hour'
      ? `generate_series(date_trunc('hour', (select lower from span), $2), $4::timestamptz - interval '1 microsecond', interval '1 hour')`
      : `(select local at time zone $2 from generate_series(date_trunc($1, (select lower from span) at time zone $2),
           ($4::timestamptz - interval '1 microsecond') at time zone $2, interval '1 ${bucket}') local)`;
  const joined = metrics.map((name) => `left join m_${name} using (b)`).join(' ');
  const numbers = metrics.map((name) => `coalesce(m_${name}.n, 0)::${METRICS[name].type} as "${name}"`).join(', ');
  return `with span as (select coalesce($3::timestamptz,
        least((select min(created_at) from users), (select min(created_at) from ads)), $4::timestamptz) as lower),
    ${metrics.map(toCte).join(',\n')},
    buckets as (select b from ${steps} as steps (b) ${metrics.map((name) => `union select b from m_${name}`).join(' ')})
    select to_char(b at time zone $2, 'YYYY-MM-DD"T"HH24:MI:SS') as local, to_char(b at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS') as utc, ${numbers}
    from buckets ${joined} order by b`;
};

const toOffset = (local: string, utc: string): string => {
  const minutes = (Date.parse(`${local}Z`) - Date.parse(`${utc}Z`)) / 60_000;
  if (minutes === 0) return 'Z';
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
};

export async function* streamStats(
  connection: ConnectOptions & { signal?: AbortSignal },
  { bucket, metrics, from, to, timeZone }: StatsExport,
): AsyncIterable<StatsRow> {
  const sql = toSql(bucket, metrics);
  const rows = streamRows<{ local: string; utc: string } & StatsRow>(connection, sql, [
    bucket,
    timeZone,
    from ?? null,
    to,
  ]);
  for await (const { local, utc, ...numbers } of rows) yield { ...numbers, bucket: `${local}${toOffset(local, utc)}` };
}

export interface VisitPart {
  day: string;
  visitor: Buffer;
  firstAt: Date;
  lastAt: Date;
  pages: number;
}

/**
 * Extends each visitor's visit, or starts another after half an hour without a page. A part within two seconds of the
 * last page belongs to that page.
 */
export const addVisits = async (db: Db, parts: readonly VisitPart[]): Promise<void> => {
  await db.raw(
    `with parts as (
       select * from unnest(?::date[], ?::bytea[], ?::timestamptz[], ?::timestamptz[], ?::int[])
         as part (day, visitor, first_at, last_at, pages)
     ), continued as (
       update visits v set last_at = greatest(v.last_at, p.last_at),
         pages = v.pages + p.pages - (p.first_at < v.last_at + interval '2 seconds')::int
       from parts p where v.id = (
         select id from visits open where open.visitor = p.visitor and open.last_at > p.first_at - interval '30 minutes'
         order by open.last_at desc limit 1)
       returning p.visitor
     )
     insert into visits (day, visitor, started_at, last_at, pages)
     select day, visitor, first_at, last_at, pages from parts where visitor not in (select visitor from continued)`,
    [
      parts.map((part) => part.day),
      parts.map((part) => part.visitor),
      parts.map((part) => part.firstAt.toISOString()),
      parts.map((part) => part.lastAt.toISOString()),
      parts.map((part) => part.pages),
    ],
  );
};

export const foldCounters = async (db: Db): Promise<void> => {
  await db.raw('select fold_counters()');
};
