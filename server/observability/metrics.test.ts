import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Asked, readAlerts, readDashboard, readQuery } from '../../test/harness/promql.ts';
import { createMetrics } from './metrics.ts';

const ROOT = new URL('../../', import.meta.url);
const { registry, addTotals } = createMetrics({
  withProcess: true,
  pools: {},
  images: { busy: () => 0, waiting: () => 0 },
});
addTotals(async () => ({}));
// What Prometheus and the chart's ServiceMonitor add
const FROM_OUTSIDE = ['job', 'instance', 'namespace'];

interface Exposed {
  name: string;
  type: string;
  labelNames: string[];
}

/** Names as they are scraped, with their labels. */
const exposed = new Map(
  registry.getMetricsAsArray().flatMap((metric): [string, string[]][] => {
    const { name, type, labelNames } = metric as unknown as Exposed;
    if (type !== 'histogram') return [[name, labelNames]];
    return ['_bucket', '_sum', '_count'].map((part) => [name + part, [...labelNames, 'le']]);
  }),
);

const missing = ({ metric, labels }: Asked): string[] => {
  const known = exposed.get(metric);
  if (!known) return [metric];
  return labels.filter(([name]) => ![...known, ...FROM_OUTSIDE].includes(name)).map(([name]) => `${metric}{${name}}`);
};

test.each([
  ['dashboard', readDashboard()],
  ['alerts', readAlerts()],
])('the %s ask only for what the server tells', (_which, queries) => {
  expect(queries.length).toBeGreaterThan(8);
  expect(queries.flatMap(readQuery).flatMap(missing)).toEqual([]);
});

test('every name says that it is ours: another program of the same Prometheus is never counted in', () => {
  expect([...exposed.keys()].filter((name) => !name.startsWith('tradepost_'))).toEqual([]);
});

test('each panel can be narrowed to one marketplace, each alert is about one', () => {
  for (const query of readDashboard())
    for (const { labels } of readQuery(query))
      expect([query, labels]).toEqual([query, expect.arrayContaining([['job', '$job']])]);
  for (const query of readAlerts().filter((text) => !text.startsWith('absent')))
    for (const { labels } of readQuery(query))
      expect([query, labels]).toEqual([query, expect.arrayContaining([['job']])]);
});

describe('the guides', () => {
  const names = (text: string) => [...text.matchAll(/`(tradepost_\w+?)(?:\{[^`]*)?`/g)].map(([, name = '']) => name);
  // a histogram is spoken of without its parts
  const isKnown = (name: string) => exposed.has(name) || exposed.has(`${name}_bucket`);

  test('name only metrics that there are', () => {
    const guides = readdirSync(new URL('docs/', ROOT)).filter((file) => file.endsWith('.md'));
    const told = guides.flatMap((file) => names(readFileSync(new URL(`docs/${file}`, ROOT), 'utf8')));
    expect(told).toContain('tradepost_db_pool_waiting');
    expect(told.filter((name) => !isKnown(name))).toEqual([]);
  });
});
