import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '../../test/app.ts';
import { openHealth } from './health.ts';
import { createMetricsServer } from './metrics-server.ts';

const { app, anonymous, lifecycle } = await openTestApp({ env: { METRICS_TOKEN: 'scrape-me' } });
const health = openHealth(app, lifecycle);
const server = createMetricsServer(app, health);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const scrape = async () => (await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer scrape-me' } })).text();
afterAll(async () => {
  server.close();
  await health.close();
});

test('requests are counted by the template of their route, never by what somebody typed', async () => {
  await anonymous.send('/api/ads?limit=1');
  await anonymous.send('/api/ads/12345');
  await anonymous.send('/api/ads/67890');
  await anonymous.send('/wp-login.php');
  const text = await scrape();
  expect(text).toContain('http_requests_total{method="GET",route="/api/ads",status="200"} 1');
  expect(text).toContain('http_requests_total{method="GET",route="/api/ads/:id",status="404"} 2');
  expect(text).toContain('http_requests_total{method="GET",route="other",status="404"} 1');
  expect(text).toContain('http_in_flight 0');
  expect(text).not.toContain('wp-login');
});

test('the connection pool, the image processes and the totals are in it', async () => {
  const text = await scrape();
  expect(text).toContain(`db_pool_max{pool="main"} ${app.config.databasePoolMax}`);
  expect(text).toContain('image_pool_waiting 0');
  expect(text).toContain('tradepost_total{what="categories"} ');
  expect(text).toMatch(/build_info\{version="[\d.]+",node="v\d+/);
});

test('without the token nothing is told', async () => {
  for (const Authorization of ['', 'Bearer', 'Bearer scrape-mE', 'Basic scrape-me']) {
    expect((await fetch(`${url}/metrics`, { headers: { Authorization } })).status).toBe(401);
  }
});

test('health is answered there, too, and a stopping server is not ready', async () => {
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  lifecycle.phase = 'draining';
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  lifecycle.phase = 'ready';
});
