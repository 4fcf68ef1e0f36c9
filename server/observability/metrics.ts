import { readFileSync } from 'node:fs';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { type Db, type PoolState, readPoolState } from '../db/pools.ts';

export interface RequestFacts {
  method: string;
  /** Template of the route, never the path: each label value is a series for ever. */
  route: string;
  status: number;
  seconds: number;
}

export interface MetricSources {
  /** Node's own figures (memory, event loop, garbage collection) cost a timer; on where somebody scrapes. */
  withProcess: boolean;
  pools: Record<string, Db>;
  images: { busy(): number; waiting(): number };
  /** Figures of the marketplace by name; asked at most once a minute. */
  readTotals: () => Promise<Record<string, number>>;
}

export interface Metrics {
  registry: Registry;
  requestStarted(): void;
  requestEnded(facts: RequestFacts): void;
  /** Refused because there was more to do than could be done. */
  requestShed(): void;
  /** A pool lost a prepared statement and goes without them for a while. */
  statementLost(): void;
  streamOpened(): void;
  streamClosed(): void;
  /** A browser reported an error of the page's code. */
  clientErrorReported(kind: string): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const TOTALS_MS = 60_000;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function openRequestMetrics(registry: Registry): Pick<Metrics, 'requestStarted' | 'requestEnded' | 'requestShed'> {
  const registers = [registry];
  let open = 0;
  new Gauge({
    name: 'tradepost_http_in_flight',
    help: 'Requests being answered',
    registers,
    collect() {
      this.set(open);
    },
  });
  const answered = createRequestHistogram('tradepost_http_request_duration_seconds', 'Time to the last byte', registry);
  new Counter({
    name: 'tradepost_http_requests_total',
    help: 'Requests answered',
    labelNames: REQUEST_LABELS,
    registers,
    collect() {
      this.reset();
      for (const { labels, count } of answered.counts()) this.inc(labels, count);
    },
  });
  const shed = new Counter({ name: 'tradepost_requests_shed_total', help: 'Requests refused: overloaded', registers });
  return {
    requestShed: () => shed.inc(),
    requestStarted: () => void open++,
    requestEnded({ method, route, status, seconds }) {
      open--;
      answered.observe(METHODS.has(method) ? method : 'other', route, status, seconds);
    },
  };
}

function openStreamMetrics(registers: Registry[]): Pick<Metrics, 'streamOpened' | 'streamClosed'> {
  const open = new Gauge({
    name: 'tradepost_event_streams_open',
    help: 'Event streams that browsers hold open',
    registers,
  });
  return { streamOpened: () => open.inc(), streamClosed: () => open.dec() };
}

function openClientErrorMetrics(registers: Registry[]): Pick<Metrics, 'clientErrorReported'> {
  const reported = new Counter({
    name: 'tradepost_client_errors_total',
    help: "Errors of the page's own code that browsers reported",
    labelNames: ['kind'],
    registers,
  });
  return { clientErrorReported: (kind) => reported.inc({ kind }) };
}

function createStatementMetrics(registers: Registry[]): Pick<Metrics, 'statementLost'> {
  const lost = new Counter({
    name: 'tradepost_db_prepared_lost_total',
    help: 'Times that a connection pool lost a prepared statement and went without them for ten minutes',
    registers,
  });
  return { statementLost: () => lost.inc() };
}

function addPools(pools: Record<string, Db>, registers: Registry[]): void {
  const labelNames = ['pool'] as const;
  const gauge = (name: string, help: string, key: keyof PoolState) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [pool, db] of Object.entries(pools)) this.set({ pool }, readPoolState(db)[key]);
      },
    });
  gauge('tradepost_db_pool_used', 'Connections in use', 'used');
  gauge('tradepost_db_pool_free', 'Idle connections', 'free');
  gauge('tradepost_db_pool_waiting', 'Queries waiting for a connection', 'waiting');
  gauge('tradepost_db_pool_max', 'Connections allowed', 'max');
}

function addImages(images: MetricSources['images'], registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('tradepost_image_pool_busy', 'Uploads being decoded', images.busy);
  gauge('tradepost_image_pool_waiting', 'Uploads waiting to be decoded', images.waiting);
}

function addTotals(readTotals: MetricSources['readTotals'], registers: Registry[]): void {
  let readAt = 0;
  new Gauge({
    name: 'tradepost_total',
    help: 'What the marketplace holds; the same from every replica',
    labelNames: ['what'],
    registers,
    async collect() {
      if (Date.now() - readAt < TOTALS_MS) return;
      readAt = Date.now();
      // a database that is away must not blind us to everything else
      const totals = await readTotals().catch(() => ({}));
      for (const [what, value] of Object.entries(totals)) this.set({ what }, value);
    },
  });
}

/** What Prometheus is told, in a registry of its own. Every name says whose it is: others' figures are in one Prometheus with ours. */
export function createMetrics({ withProcess, pools, images, readTotals }: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (withProcess) collectDefaultMetrics({ register: registry, prefix: 'tradepost_' });
  addPools(pools, registers);
  addImages(images, registers);
  addTotals(readTotals, registers);
  const info = new Gauge({
    name: 'tradepost_build_info',
    help: 'This release',
    labelNames: ['version', 'node'],
    registers,
  });
  info.set({ version, node: process.version }, 1);
  return {
    registry,
    ...openRequestMetrics(registry),
    ...openStreamMetrics(registers),
    ...openClientErrorMetrics(registers),
    ...createStatementMetrics(registers),
  };
}

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const REQUEST_LABELS = ['method', 'route', 'status'] as const;
type Labels = Record<(typeof REQUEST_LABELS)[number], string | number>;

/** Requests that have these labels. */
interface Series {
  labels: Labels;
  /** How many took no longer than each bound, and longer than the one before; slower ones last. */
  perBound: number[];
  count: number;
  sum: number;
}

export interface RequestHistogram {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** How many there were, by labels. */
  counts(): { labels: Labels; count: number }[];
}

const startSeries = (labels: Labels): Series => ({
  labels,
  perBound: Array<number>(BOUNDS.length + 1).fill(0),
  count: 0,
  sum: 0,
});

/** As Prometheus wants it: each bucket counts what is in the smaller ones, too. */
function listValues(name: string, { labels, perBound, count, sum }: Series): object[] {
  let soFar = 0;
  const buckets = [...BOUNDS, '+Inf'].map((le, i) => {
    soFar += perBound[i]!;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: soFar };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/**
 * A histogram of requests in prom-client's registry. The library's own checks and hashes the labels of each observation,
 * a twenty-fifth of a hot answer; here a route leads to its few series.
 */
export function createRequestHistogram(name: string, help: string, registry: Registry): RequestHistogram {
  const byRoute = new Map<string, Series[]>();
  const start = (labels: Labels): Series => {
    const series = startSeries(labels);
    byRoute.set(String(labels.route), [...(byRoute.get(String(labels.route)) ?? []), series]);
    return series;
  };
  const find = (method: string, route: string, status: number): Series | undefined =>
    byRoute.get(route)?.find(({ labels }) => labels.status === status && labels.method === method);
  const all = () => [...byRoute.values()].flat();
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: all().flatMap((series) => listValues(name, series)),
    aggregator: 'sum',
  });
  registry.registerMetric({ name, help, type: 'histogram', labelNames: REQUEST_LABELS, get } as unknown as Metric);
  return {
    observe(method, route, status, seconds) {
      const series = find(method, route, status) ?? start({ method, route, status });
      const bound = BOUNDS.findIndex((limit) => seconds <= limit);
      series.perBound[bound < 0 ? BOUNDS.length : bound]!++;
      series.count++;
      series.sum += seconds;
    },
    counts: () => all().map(({ labels, count }) => ({ labels, count })),
  };
}
