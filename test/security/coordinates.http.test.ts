import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNearestPlace } from '../../contract/place-search.ts';
import { startTracing } from '../../server/observability/tracing.ts';
import { openTestApp } from '../harness/app.ts';
import { listOwnTables } from '../harness/every-table.ts';
import { insertPlaces, insertUser } from '../harness/factories.ts';

const HERE = { lat: 52.5173651, lng: 13.3888912 };
const TRACES_OF_HERE = /52\.51736|13\.38889|5173651|3888912/;

let traced = '';
const collector = createServer(async (request, response) => {
  for await (const chunk of request) traced += chunk;
  response.setHeader('Content-Type', 'application/json').end('{}');
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
afterAll(() => collector.close());

let logged = '';
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk;
    done();
  },
});
const { app, anonymous, signIn } = await openTestApp({
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  parts: { log: pino({ level: 'trace' }, sink) },
});
const closeTraces = startTracing({ endpoint, serviceName: 'tradepost', pools: { main: app.db } });

beforeAll(() => insertPlaces(app));

test('the coordinates of a visitor are in no log, trace, reply or table, even if the request fails', async () => {
  const user = await signIn((await insertUser(app)).id);
  for (const client of [anonymous, user]) {
    const found = await client.call(findNearestPlace, { body: HERE });
    expect([found.status, found.body.name]).toEqual([200, 'Berlin']);
    expect(JSON.stringify([found.body, [...found.headers]])).not.toMatch(TRACES_OF_HERE);
  }
  const refused = await anonymous.call(findNearestPlace, { body: { ...HERE, lat: HERE.lat + 100 } });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.not.stringMatching(TRACES_OF_HERE)]);
  await app.db.raw('alter function distance_km(float8, float8, float8, float8) rename to gone');
  expect((await anonymous.call(findNearestPlace, { body: HERE })).status).toBe(500);
  await app.db.raw('alter function gone(float8, float8, float8, float8) rename to distance_km');
  await closeTraces();

  expect(logged).toContain('/api/places/nearest');
  expect(logged).toContain('distance_km');
  expect(logged).not.toMatch(TRACES_OF_HERE);
  expect(traced).toContain('/api/places/nearest');
  expect(traced).not.toMatch(TRACES_OF_HERE);
  for (const table of await listOwnTables(app))
    expect([table, JSON.stringify(await app.db(table))]).toEqual([table, expect.not.stringMatching(TRACES_OF_HERE)]);
});
