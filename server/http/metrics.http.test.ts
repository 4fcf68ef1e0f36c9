import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { readAlerts, readDashboard, readQuery } from '../../test/harness/promql.ts';
import { AppError } from '../errors.ts';
import { createHealth, createMetricsServer } from './health.ts';
import { handleErrors } from './middleware/error-handler.ts';

const { app, anonymous, lifecycle } = await openTestApp({ env: { METRICS_TOKEN: 'scrape-me' } });
const health = createHealth(app, lifecycle);
const server = createMetricsServer(app, health);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const scrape = async () => (await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer scrape-me' } })).text();
afterAll(async () => {
  server.close();
  await health.close();
});

test('requests are counted by the template of their route, never by the typed address', async () => {
  await anonymous.send('/api/ads?limit=1');
  await anonymous.send('/api/ads/12345');
  await anonymous.send('/api/ads/67890');
  await anonymous.send('/wp-login.php');
  const text = await scrape();
  expect(text).toContain('tradepost_http_requests_total{method="GET",route="/api/ads",status="200"} 1');
  expect(text).toContain('tradepost_http_requests_total{method="GET",route="/api/ads/:id",status="404"} 2');
  expect(text).toContain('tradepost_http_requests_total{method="GET",route="other",status="404"} 1');
  expect(text).toContain('tradepost_http_in_flight 0');
  expect(text).not.toContain('wp-login');
});

test('the connection pool, the image processes and the totals are in it', async () => {
  const text = await scrape();
  expect(text).toContain(`tradepost_db_pool_max{pool="main"} ${app.config.databasePoolMax}`);
  expect(text).toContain('tradepost_image_pool_waiting 0');
  expect(text).toContain('tradepost_total{what="categories"} ');
  expect(text).toMatch(/tradepost_build_info\{version="[\d.]+",node="v\d+/);
});

test('every total that the dashboard and the alerts use is exported', async () => {
  const asked = [...readDashboard(), ...readAlerts()].flatMap(readQuery).flatMap(({ labels }) => labels);
  const totals = new Set(asked.flatMap(([name, value]) => (name === 'what' && value ? [value] : [])));
  const text = await scrape();
  for (const what of totals) expect(text).toMatch(new RegExp(`tradepost_total\\{what="${what}"\\} \\d`));
  expect([...totals]).toEqual(expect.arrayContaining(['users', 'jobsWaiting', 'jobsFailed', 'xPostingStopped']));
});

test('what is refused because there is too much to do is counted', async () => {
  const koa = new Koa();
  koa.use((ctx, next) => {
    Object.assign(ctx.state, { requestId: 'one', log: app.log });
    return next();
  });
  koa.use(handleErrors(app) as Middleware);
  koa.use(() => Promise.reject(new AppError('overloaded')));
  const busy = createServer(koa.callback());
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  expect((await fetch(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`)).status).toBe(503);
  busy.closeAllConnections();
  busy.close();
  expect(await scrape()).toContain('tradepost_requests_shed_total 1');
});

test('without the token no metric is exported', async () => {
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
