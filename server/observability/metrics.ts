import { readFileSync } from 'node:fs';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface RequestFacts {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** The connections of a pool, and the queries that wait for one. */
export interface PoolState {
  used: number;
  free: number;
  waiting: number;
  max: number;
}

export interface MetricSources {
  /** Adds Node's own metrics (memory, event loop, garbage collection), which need a timer. */
  withProcess: boolean;
  pools: Record<string, () => PoolState>;
  images: { busy(): number; waiting(): number };
}

export interface Metrics {
  registry: Registry;
  /** Adds what the marketplace holds, read at most once a minute. Call it once. */
  addTotals(readTotals: () => Promise<Record<string, number>>): void;
  requestStarted(): void;
  requestEnded(facts: RequestFacts): void;
  /** A request that had begun was refused: overloaded. */
  requestShed(): void;
  /** A request was refused before it began: 503 while overloaded, 414 for a long path. */
  requestRejected(method: string, status: number): void;
  /** A pool lost a prepared statement and stopped preparing for a while. */
  statementLost(): void;
  streamOpened(): void;
  streamClosed(): void;
  clientErrorReported(kind: string): void;
  /** A delivery of a notification ended, or waits for another attempt. */
  deliveryEnded(channel: (typeof CHANNELS)[number], outcome: (typeof OUTCOMES)[number]): void;
  /** An attempt of a webhook's delivery ended. */
  webhookAttemptEnded(outcome: (typeof WEBHOOK_OUTCOMES)[number]): void;
}

const CHANNELS = ['email', 'push'] as const;
const OUTCOMES = ['sent', 'skipped', 'failed', 'retried'] as const;
const WEBHOOK_OUTCOMES = ['delivered', 'failed', 'retried'] as const;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const TOTALS_MS = 60_000;
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function addPools(pools: MetricSources['pools'], registers: Registry[]): void {
  const labelNames = ['pool'] as const;
  const gauge = (name: string, help: string, key: keyof PoolState) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [pool, read] of Object.entries(pools)) this.set({ pool }, read()[key]);
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

function addTotals(readTotals: () => Promise<Record<string, number>>, registers: Registry[]): void {
  let readAt = 0;
  new Gauge({
    name: 'tradepost_total',
    help: 'What the marketplace holds; the same from every replica',
    labelNames: ['what'],
    registers,
    async collect() {
      if (Date.now() - readAt < TOTALS_MS) return;
      readAt = Date.now();
      // while the database is unavailable, all other metrics are still served
      const totals = await readTotals().catch(() => ({}));
      for (const [what, value] of Object.entries(totals)) this.set({ what }, value);
    },
  });
}

/** The metrics of this process, in a separate registry. Every name begins with tradepost_. */
export function createMetrics({ withProcess, pools, images }: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (withProcess) collectDefaultMetrics({ register: registry, prefix: 'tradepost_' });
  addPools(pools, registers);
  addImages(images, registers);
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const info = gauge('tradepost_build_info', 'This release', ['version', 'node']);
  info.set({ version, node: process.version }, 1);
  const labelNames = ['method', 'route', 'status'] as const;
  const inFlight = gauge('tradepost_http_in_flight', 'Requests being answered');
  const duration = new Histogram({
    name: 'tradepost_http_request_duration_seconds',
    help: 'Time to the last byte',
    labelNames,
    buckets: DURATION_BUCKETS,
    registers,
  });
  const total = counter('tradepost_http_requests_total', 'Requests answered', labelNames);
  const shed = counter('tradepost_requests_shed_total', 'Requests refused: overloaded');
  const streams = gauge('tradepost_event_streams_open', 'Event streams that browsers hold open');
  const clientErrors = counter(
    'tradepost_client_errors_total',
    "Errors of the page's own code that browsers reported",
    ['kind'],
  );
  const deliveries = counter(
    'tradepost_deliveries_total',
    'Notifications that were mailed or pushed, were not, or wait for another attempt',
    ['channel', 'outcome'],
  );
  // a rate needs a series from the start, not from the first delivery on
  for (const channel of CHANNELS) for (const outcome of OUTCOMES) deliveries.inc({ channel, outcome }, 0);
  const webhookAttempts = counter(
    'tradepost_webhook_attempts_total',
    'Attempts of deliveries to webhooks: delivered, the last one that failed, or followed by another',
    ['outcome'],
  );
  for (const outcome of WEBHOOK_OUTCOMES) webhookAttempts.inc({ outcome }, 0);
  const lost = counter(
    'tradepost_db_prepared_lost_total',
    'Times that a connection pool lost a prepared statement and went without them for ten minutes',
  );
  const nameMethod = (method: string) => (METHODS.has(method) ? method : 'other');
  return {
    registry,
    addTotals: (readTotals) => addTotals(readTotals, registers),
    requestStarted: () => inFlight.inc(),
    requestEnded({ method, route, status, seconds }) {
      inFlight.dec();
      const labels = { method: nameMethod(method), route, status };
      duration.observe(labels, seconds);
      total.inc(labels);
    },
    requestShed: () => shed.inc(),
    requestRejected(method, status) {
      if (status === 503) shed.inc();
      total.inc({ method: nameMethod(method), route: 'other', status });
    },
    statementLost: () => lost.inc(),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    clientErrorReported: (kind) => clientErrors.inc({ kind }),
    deliveryEnded: (channel, outcome) => deliveries.inc({ channel, outcome }),
    webhookAttemptEnded: (outcome) => webhookAttempts.inc({ outcome }),
  };
}
