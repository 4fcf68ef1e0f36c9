import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('requests are counted and timed by method, route and status', async () => {
  const { registry, requestStarted, requestEnded } = createMetrics({
    withProcess: false,
    pools: {},
    images: { busy: () => 0, waiting: () => 0 },
  });
  const facts = { method: 'GET', route: '/a', status: 200 };
  for (let n = 0; n < 5; n++) requestStarted();
  requestEnded({ ...facts, seconds: 0.001 });
  requestEnded({ ...facts, seconds: 0.0011 });
  requestEnded({ ...facts, seconds: 11 });
  requestEnded({ ...facts, status: 304, seconds: 0 });

  const lines = (await registry.metrics()).split('\n');
  const labels = 'method="GET",route="/a",status="200"';
  const name = 'tradepost_http_request_duration_seconds';
  expect(lines.filter((line) => line.startsWith(name) && line.includes(labels))).toEqual([
    ...[1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3].map((count, i) => {
      const le = ['0.001', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'][i];
      return `${name}_bucket{le="${le}",${labels}} ${count}`;
    }),
    `${name}_sum{${labels}} 11.0021`,
    `${name}_count{${labels}} 3`,
  ]);
  expect(lines).toContain(`tradepost_http_requests_total{${labels}} 3`);
  expect(lines).toContain('tradepost_http_requests_total{method="GET",route="/a",status="304"} 1');
  expect(lines).toContain('tradepost_http_in_flight 1');
});
