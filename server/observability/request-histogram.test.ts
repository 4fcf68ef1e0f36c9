import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRequestHistogram } from './metrics.ts';

test('counts what took no longer than each bound, by labels, as Prometheus reads it', async () => {
  const registry = new Registry();
  const { observe, counts } = createRequestHistogram('took_seconds', 'How long', registry);
  observe('GET', '/a', 200, 0.001);
  observe('GET', '/a', 200, 0.0011);
  observe('GET', '/a', 200, 11);
  observe('GET', '/a', 304, 0);
  observe('POST', '/a', 200, 0);
  observe('GET', '/b', 200, 0);

  const ofA = '{method="GET",route="/a",status="200"';
  const lines = (await registry.metrics()).split('\n');
  expect(lines.slice(0, 2)).toEqual(['# HELP took_seconds How long', '# TYPE took_seconds histogram']);
  expect(lines.filter((line) => line.includes(ofA))).toEqual([
    ...[1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3].map((count, i) => {
      const le = ['0.001', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'][i];
      return `took_seconds_bucket${ofA},le="${le}"} ${count}`;
    }),
    `took_seconds_sum${ofA}} 11.0021`,
    `took_seconds_count${ofA}} 3`,
  ]);
  expect(counts()).toEqual([
    { labels: { method: 'GET', route: '/a', status: 200 }, count: 3 },
    { labels: { method: 'GET', route: '/a', status: 304 }, count: 1 },
    { labels: { method: 'POST', route: '/a', status: 200 }, count: 1 },
    { labels: { method: 'GET', route: '/b', status: 200 }, count: 1 },
  ]);
});
