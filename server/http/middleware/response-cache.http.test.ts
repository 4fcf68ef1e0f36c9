import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as ads from '../../../contract/ads.ts';
import { RATE_LIMITS } from '../../../contract/limits.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { JUST_WROTE, openSession } from '../../../test/harness/sessions.ts';
import { endMaintenance, startMaintenance } from '../../features/settings/service.ts';
import { getVisitCounter } from '../../features/stats/visit-counter.ts';
import { operator } from '../../policy.ts';

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
    done();
  },
});
const fromDisk = await openTestApp({ env: { CACHE_MEMORY_MB: '0' } });
const { app, url, lifecycle, signIn } = await openTestApp({
  env: { TRUST_PROXY_HOPS: '1', RATE_LIMIT_SCALE: '1' },
  parts: { log: pino({ level: 'info', base: undefined }, sink) },
});
await insertCategories(app);
const user = await insertUser(app);
const cookie = await openSession(app, user.id);
const seller = await signIn(user.id);

let image = '';
let ad = '';
beforeAll(async () => {
  const photo = toDataUrl(await makePhoto({ width: 64, height: 64, seed: 1 }));
  // enough of them to be worth compressing
  for (let n = 0; n < 3; n++) {
    const { id, imageUrls } = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [photo] }) });
    ad = `/api/ads/${id}`;
    image = imageUrls[0] ?? '';
  }
});

interface Raw {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Requests of each test come from an address of their own, by which their lines are found and their limits counted. */
let visitor = 0;
beforeEach(() => {
  visitor++;
});
const own = () => `10.0.0.${visitor}`;

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = { 'X-Forwarded-For': own(), ...headers };
    request(url + path, { method, headers: sent }, async (res) => {
      const body = Buffer.concat(await res.toArray());
      const { date: _, 'x-request-id': id, ...rest } = res.headers;
      expect(id).toMatch(/^[\w-]{36}$/);
      const text = String(body).startsWith('{"message"')
        ? JSON.stringify({ ...JSON.parse(String(body)), requestId: '' })
        : '';
      resolve({ status: res.statusCode ?? 0, headers: rest, body: text || body.toString('latin1') });
    })
      .on('error', reject)
      .end();
  });

/** Only a server that is ready serves from the cache. */
async function passing<T>(work: () => Promise<T>): Promise<T> {
  lifecycle.phase = 'starting';
  const done = await work();
  lifecycle.phase = 'ready';
  return done;
}

/** The lines of this test's requests, once so many are there: each is written when its socket has received everything. */
async function readLog(count: number): Promise<Record<string, unknown>[]> {
  const found = () => lines.filter((line) => line.msg === 'request' && line.ip === own());
  while (found().length < count) await sleep(5);
  return found().map(({ requestId: _id, ms: _ms, time: _time, ...rest }) => rest);
}

/** How many requests the metrics know of, of this kind. */
async function countRequests(wanted: { method: string; route: string; status: number }): Promise<number> {
  const { values } = await app.metrics.registry.getSingleMetric('tradepost_http_requests_total')!.get();
  return values.find(({ labels }) => isDeepStrictEqual({ ...labels }, wanted))?.value ?? 0;
}

type Headers = (etag: string) => Record<string, string>;
type Case = [name: string, path: () => string, route: string, headers?: Headers, method?: string];
const signedIn = () => ({ Cookie: cookie });
const forged = () => ({ Cookie: cookie.slice(0, -1) });

describe('a response from the cache equals that of Koa, logged and counted alike', () => {
  test.each<Case>([
    ['a list', () => '/api/ads', '/api/ads'],
    ['a filtered list', () => '/api/ads?maxPrice=99999&limit=2', '/api/ads'],
    ['brotli', () => '/api/ads', '/api/ads', () => ({ 'Accept-Encoding': 'gzip, deflate, br, zstd' })],
    ['gzip', () => '/api/ads', '/api/ads', () => ({ 'Accept-Encoding': 'gzip;q=1, br;q=0' })],
    ['no encoding', () => '/api/ads', '/api/ads', () => ({ 'Accept-Encoding': 'identity' })],
    ['a known tag', () => '/api/ads', '/api/ads', (etag) => ({ 'If-None-Match': `"x", ${etag}` })],
    ['any tag', () => '/api/stats', '/api/stats', () => ({ 'If-None-Match': '*', 'Accept-Encoding': 'br' })],
    ['another tag', () => '/api/ads', '/api/ads', () => ({ 'If-None-Match': '"x"' })],
    ['a list, signed in', () => '/api/ads', '/api/ads', signedIn],
    ['an ad', () => ad, '/api/ads/:id'],
    ['an ad, signed in', () => ad, '/api/ads/:id', signedIn],
    ['HEAD', () => '/api/ads', '/api/ads', undefined, 'HEAD'],
    ['counts', () => '/api/categories/stats', '/api/categories/stats', () => ({ 'User-Agent': 'Mozilla' })],
    ['the signed-in user', () => '/api/auth/me', '/api/auth/me', signedIn],
    ['unread messages', () => '/api/messages/unread-count', '/api/messages/unread-count', signedIn],
    ['the signed-in user, signed out', () => '/api/auth/me', '/api/auth/me'],
    ['a forged session', () => '/api/auth/me', '/api/auth/me', forged],
    ['an image', () => image, '/media'],
    ['a thumbnail', () => image.replace('full', 'thumb'), '/media', () => ({ 'Accept-Encoding': 'br' })],
    ['a known image', () => image, '/media', (etag) => ({ 'If-None-Match': etag })],
    ['a part of an image', () => image, '/media', () => ({ Range: 'bytes=0-9' })],
    ['no image', () => `/media/${'0'.repeat(64)}/thumb.jpg`, '/media'],
    ['HEAD of an image', () => image, '/media', undefined, 'HEAD'],
    ['a page', () => '/', 'page', () => ({ Accept: 'text/html' })],
    ['just written', () => '/api/ads', '/api/ads', () => ({ Cookie: `${cookie}; ${JUST_WROTE}` })],
    ['an unknown host', () => '/api/ads', 'other', () => ({ Host: 'evil.test' })],
  ])('%s', async (_name, pathOf, route, headersOf = () => ({}), method = 'GET') => {
    const path = pathOf();
    const { etag } = (await ask(path, {}, 'HEAD')).headers;
    const headers = headersOf(String(etag));
    const byKoa = await passing(() => ask(path, headers, method));
    const labels = { method, route, status: byKoa.status };
    await readLog(2);
    const before = await countRequests(labels);
    expect(await ask(path, headers, method)).toEqual(byKoa);
    expect(await ask(path, headers, method)).toEqual(byKoa);
    const [, first, ...rest] = await readLog(4);
    expect(rest).toEqual([first, first]);
    expect(first).toMatchObject({ method, path: path.split('?')[0], status: byKoa.status });
    expect(await countRequests(labels)).toBe(before + 2);
  });

  test('the responses of the table are complete', async () => {
    expect(await ask('/api/ads', { 'Accept-Encoding': 'br' })).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'br', vary: 'Accept-Encoding', 'cache-control': 'public, no-cache' },
    });
    expect(await ask('/api/auth/me', signedIn())).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
    });
    expect((await ask('/api/auth/me', forged())).status).toBe(401);
    expect(await ask(image, { 'If-None-Match': '*' })).toMatchObject({ status: 304, body: '' });
  });
});

test('limits protect the database: a client over its limit still gets what is cached', async () => {
  const { points } = RATE_LIMITS.search;
  for (let n = 0; n < points; n++) await ask(`/api/ads?minPrice=${n}`);
  while ((await ask('/api/ads?limit=3')).status !== 429);
  const other = { 'X-Forwarded-For': '10.9.9.9' };
  // a busy machine may need longer for two requests than a response is cached
  for (let status = 429; status !== 200; status = (await ask('/api/ads?limit=3')).status)
    await ask('/api/ads?limit=3', other);
});

test('a client that has just written gets nothing from the cache', async () => {
  const titleFor = async (headers: Record<string, string>) => JSON.parse((await ask(ad, headers)).body).title;
  const id = ad.split('/')[3];
  for (let n = 1, isCached = false; !isCached; n++) {
    const old = await titleFor({});
    await app
      .db('ads')
      .where({ id })
      .update({ title: `Title ${n}` });
    expect(await titleFor({ Cookie: JUST_WROTE })).toBe(`Title ${n}`);
    // on a busy machine the cached response may have expired before that
    isCached = (await titleFor({})) === old;
  }
});

test('the owner of an ad gets more of it than is cached for everybody', async () => {
  const toOwner = await ask(ad, signedIn());
  const toAll = await ask(ad);
  expect(toOwner.headers['cache-control']).not.toBe(toAll.headers['cache-control']);
  expect(await ask(ad, signedIn())).toEqual(toOwner);
});

test('a mistake fails one request, not the process', async () => {
  const visits = getVisitCounter(app);
  const { count } = visits;
  visits.count = () => JSON.parse('a mistake');
  expect((await ask(ad)).status).toBe(500);
  // by now the response is cached
  expect((await ask(ad)).status).toBe(500);
  visits.count = count;
  expect((await ask(ad)).status).toBe(200);
});

test('another host is refused whatever is cached', async () => {
  expect((await ask(image)).status).toBe(200);
  expect((await ask(image, { Host: 'evil.test' })).status).toBe(421);
});

test('an image read from disk is the one from the store', async () => {
  await insertCategories(fromDisk.app);
  const seller = await fromDisk.signIn((await insertUser(fromDisk.app)).id);
  const photo = toDataUrl(await makePhoto({ width: 64, height: 64, seed: 2 }));
  const { images } = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [photo] }) });
  const address = fromDisk.url + images[0]?.thumbUrl;
  const read = async () => {
    const answer = await fetch(address);
    return [answer.status, answer.headers.get('etag'), Buffer.from(await answer.arrayBuffer()).toString('latin1')];
  };
  const fromStore = await read();
  expect(fromStore[0]).toBe(200);
  expect([await read(), await read()]).toEqual([fromStore, fromStore]);
  // the file is gone: the store has it still
  await rm(join(fromDisk.app.config.cacheDir, 'media'), { recursive: true });
  expect(await read()).toEqual(fromStore);
});

test('a draining server closes connections after cached responses, too', async () => {
  lifecycle.phase = 'draining';
  const { headers } = await ask(image);
  lifecycle.phase = 'ready';
  expect(headers.connection).toBe('close');
});

test('during maintenance nothing is served from the cache', async () => {
  const actor = operator('cli:test@here');
  await startMaintenance(app, actor, { message: 'Soon.', retryAfter: 60 });
  const becomes = (status: number) =>
    expect.poll(async () => (await ask(image)).status, { timeout: 20_000, interval: 5 }).toBe(status);
  await becomes(503);
  await endMaintenance(app, actor);
  await becomes(200);
});
