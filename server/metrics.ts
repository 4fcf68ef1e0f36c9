import { readFileSync } from 'node:fs';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Db } from './db/connect.ts';
import { type PoolState, readPoolState } from './db/pool-state.ts';
import { openRequestHistogram, REQUEST_LABELS } from './request-histogram.ts';

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
  streamOpened(): void;
  streamClosed(): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const TOTALS_MS = 60_000;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
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
  const answered = openRequestHistogram('tradepost_http_request_duration_seconds', 'Time to the last byte', registry);
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
export function openMetrics({ withProcess, pools, images, readTotals }: MetricSources): Metrics {
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
  return { registry, ...openRequestMetrics(registry), ...openStreamMetrics(registers) };
}
