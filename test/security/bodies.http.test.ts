import { request } from 'node:http';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test, vi } from 'vitest';
import { createAd, updateAd } from '../../contract/ads.ts';
import { openTestApp } from '../harness/app.ts';
import type { Client } from '../harness/client.ts';
import { adBody, insertCategories, insertUser } from '../harness/factories.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';

const MEGABYTE = 1024 * 1024;

/** How many bytes of large bodies the server holds. */
const held = vi.hoisted(() => ({ bytes: 0 }));
vi.mock('../../server/http/uploads/body.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../server/http/uploads/body.ts')>();
  const createUploadQuota: typeof actual.createUploadQuota = (...options) => {
    const quota = actual.createUploadQuota(...options);
    return {
      start(owners) {
        const reservation = quota.start(owners);
        let mine = 0;
        return {
          add(bytes) {
            reservation.add(bytes);
            mine += bytes;
            held.bytes += bytes;
          },
          release() {
            reservation.release();
            held.bytes -= mine;
            mine = 0;
          },
        };
      },
    };
  };
  return { ...actual, createUploadQuota };
});

const { app, url, anonymous, signIn } = await openTestApp();
let user: Client;
beforeAll(async () => {
  await insertCategories(app);
  user = await signIn((await insertUser(app)).id);
});

const login = '/api/auth/admin';
const post = (client: Client, path: string, body: string | Uint8Array, headers = {}) =>
  client.send(path, { method: 'POST', body, headers });

test.each([
  ['cut off', '{"username":"admin","password":"hunter2",'],
  ['a trailing comma', '{"username":"a",}'],
  ['words', 'hello'],
  ['100,000 levels deep', '['.repeat(100_000).slice(0, 60_000)],
  ['21 levels deep', `{"username":${'['.repeat(21)}${']'.repeat(21)}}`],
  ['UTF-16', new Uint8Array(Buffer.from('{"username":"a"}', 'utf16le'))],
  ['broken UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
])('JSON that is %s is 400 malformed_json', async (_name, body) => {
  const answer = await post(anonymous, login, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  expect(JSON.stringify(answer.body)).not.toContain('hunter2');
});

test.each([
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '7'],
  ['a string', '"x"'],
  ['a list', '[]'],
  ['an empty object', '{}'],
  ['objects for text', '{"username":{"$ne":1},"password":["a"]}'],
  ['a huge exponent', '{"username":1e400,"password":"x"}'],
  ['NUL', '{"username":"a\\u0000","password":"x"}'],
  ['NUL in a key', '{"a\\u0000":1,"username":"a","password":"x"}'],
  ['half a surrogate pair', '{"username":"\\ud800","password":"x"}'],
  ['a prototype', '{"__proto__":{"username":"a"},"password":"x"}'],
])('a body of %s is 400 validation_failed with the fields', async (_name, body) => {
  const answer = await post(anonymous, login, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  expect(Object.keys(answer.body.fields).length).toBeGreaterThan(0);
});

test('keys that no schema knows change no prototype', async () => {
  await post(
    user,
    '/api/ads',
    JSON.stringify(adBody()).replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
  );
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each([
  ['text/plain', { 'Content-Type': 'text/plain' }],
  ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['multipart', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['another charset', { 'Content-Type': 'application/json; charset=utf-7' }],
  ['no type', { 'Content-Type': '' }],
  ['gzip', { 'Content-Encoding': 'gzip' }],
  ['br', { 'Content-Encoding': 'br' }],
  ['deflate, gzip', { 'Content-Encoding': 'deflate, gzip' }],
])('a body as %s is 415 before it is read', async (_name, headers) => {
  const { status, body } = await post(anonymous, login, '{"username":"a","password":"b"}', headers);
  expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
});

test('compressed bombs are not unpacked', async () => {
  const bombs = [gzipSync(Buffer.alloc(50_000_000)), deflateRawSync(Buffer.alloc(1_000_000)), new Uint8Array(100)];
  for (const bomb of bombs)
    expect((await post(anonymous, login, new Uint8Array(bomb), { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

/** Sends headers, then as many chunks as the server accepts. Resolves with the response. */
function stream(path: string, headers: Record<string, string | number>, chunk: Buffer, chunks: number) {
  return new Promise<{ status: number; sent: number; connection: string | undefined }>((resolve, reject) => {
    let sent = 0;
    const req = request(url + path, {
      method: 'POST',
      headers: { ...user.headers, 'Content-Type': 'application/json', ...headers },
    });
    const write = () => {
      while (sent < chunks && !req.destroyed) {
        sent++;
        if (!req.write(chunk)) return req.once('drain', write);
      }
      if (sent >= chunks) req.end();
      return undefined;
    };
    req.once('response', (res) => {
      res.resume();
      resolve({ status: res.statusCode ?? 0, sent, connection: res.headers.connection });
      req.destroy();
    });
    req.once('error', reject);
    write();
  });
}

test('a body above 64 KiB is refused by its length, unread, and the connection closed', async () => {
  const answer = await stream(login, { 'Content-Length': 5_000_000 }, Buffer.alloc(1000), 1);
  expect(answer).toMatchObject({ status: 413, connection: 'close' });
});

test('an endless body without a length is cut at the limit', async () => {
  const answer = await stream(login, { 'Transfer-Encoding': 'chunked' }, Buffer.alloc(64 * 1024, 0x20), 100_000);
  expect(answer.status).toBe(413);
  expect(answer.sent).toBeLessThan(200);
});

test('the large limit is for photos of ads and for those who may post', async () => {
  const big = JSON.stringify({ ...adBody(), padding: 'x'.repeat(80_000) });
  expect((await post(anonymous, '/api/ads', big)).status).toBe(401);
  const path = updateAd.path.replace(':id', '1');
  expect((await anonymous.send(path, { method: 'PUT', body: big })).status).toBe(401);
  expect((await post(user, '/api/ads', big)).status).toBe(413);
  const values = JSON.stringify({ ...adBody(), imageUrls: ['data:,'], padding: Array(40_000).fill(1) });
  expect((await post(user, '/api/ads', values)).status).toBe(413);
  const notJson = `{"imageUrls": ["data:image/jpeg;base64,${'A'.repeat(100_000)}`;
  expect((await post(user, '/api/ads', notJson)).body.code).toBe('payload_too_large');
  expect((await post(user, '/api/ads', `${notJson}"]`)).body.code).toBe('malformed_json');
});

test('ads above 8 MiB are refused by their length', async () => {
  const answer = await stream('/api/ads', { 'Content-Length': 9 * 1024 * 1024 }, Buffer.alloc(1000), 1);
  expect(answer).toMatchObject({ status: 413, connection: 'close' });
});

/** Starts a large body and sends `bytes` of it. `status` is set when the server responds. */
function startUpload(headers: Record<string, string>, declared: number, bytes: number) {
  const upload = { status: 0, sent: false, stop: () => void req.destroy() };
  const req = request(`${url}/api/ads`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': declared },
  });
  req.once('response', (res) => {
    upload.status = res.statusCode ?? 0;
  });
  req.on('error', () => {});
  req.write(Buffer.alloc(bytes, 0x20), () => {
    upload.sent = true;
  });
  return upload;
}

test('three slow uploads that declare all the room stop no other person from posting photos', async () => {
  const people = await Promise.all([1, 2, 3].map(async () => signIn((await insertUser(app)).id)));
  const slow = [8, 8, 8].map((size, i) => startUpload(people[i]!.headers, size * MEGABYTE, 1000));
  await expect.poll(() => slow.map(({ sent }) => sent)).toEqual([true, true, true]);
  const photo = toDataUrl(await makePhoto({ width: 640, height: 480, seed: 3 }));
  const body = adBody({ imageUrls: [photo], description: 'x'.repeat(900) });
  expect(JSON.stringify(body).length).toBeGreaterThan(10_000);
  expect((await user.call(createAd, { body })).status).toBe(201);
  expect(slow.map(({ status }) => status)).toEqual([0, 0, 0]);
  for (const { stop } of slow) stop();
});

test('a person who sends more than their share of large bodies gets 503', async () => {
  await expect.poll(() => held.bytes).toBe(0);
  const open = [1, 2, 3, 4].map(() => startUpload(user.headers, 8 * MEGABYTE, 7.5 * MEGABYTE));
  await expect.poll(() => held.bytes).toBe(30 * MEGABYTE);
  const another = startUpload(user.headers, 3 * MEGABYTE, 3 * MEGABYTE);
  await expect.poll(() => another.status).toBe(503);
  expect(open.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  for (const { stop } of [...open, another]) stop();
  await expect.poll(() => held.bytes).toBe(0);
  const photo = toDataUrl(await makePhoto({ width: 640, height: 480, seed: 3 }));
  const body = adBody({ imageUrls: [photo], description: 'x'.repeat(900) });
  expect((await user.call(createAd, { body })).status).toBe(201);
});

test('whose ad it is is checked before its photos are decoded', async () => {
  const owner = await signIn((await insertUser(app)).id);
  const { id } = await owner.ok(createAd, { body: adBody() });
  const process = vi.spyOn(app.images, 'process');
  const body = adBody({ imageUrls: [toDataUrl(await makePhoto({ width: 64, height: 48 }))] });
  expect((await user.call(updateAd, { params: { id }, body })).status).toBe(403);
  expect((await user.call(updateAd, { params: { id: '999999' }, body })).status).toBe(404);
  expect(process).not.toHaveBeenCalled();
  process.mockRestore();
});

test('a client that goes away mid-body leaves nothing behind', async () => {
  const count = async () => Number((await app.db('ads').count())[0]?.count);
  const before = await count();
  const req = request(`${url}/api/ads`, {
    method: 'POST',
    headers: { ...user.headers, 'Content-Type': 'application/json', 'Content-Length': 1000 },
  });
  req.on('error', () => {});
  req.write('{"title":"half');
  await new Promise((resolve) => setTimeout(resolve, 50));
  req.destroy();
  expect((await user.send('/api/auth/me')).status).toBe(200);
  expect(await count()).toBe(before);
});

test.each([
  'abc',
  '-1',
  '0',
  '1e3',
  '0x1',
  '%201',
  '1.0',
  '99999999999999999999',
  'NaN',
  '%00',
  '..%2f..%2fetc',
  '%F0%9F%92%A9',
  '1%2F2',
  '01',
  '1'.repeat(1500),
])('an id of %s is not found', async (id) => {
  for (const path of [`/api/ads/${id}`, `/api/ads/${id}/favorite-status`])
    expect((await user.send(path)).status).toBe(404);
  expect((await user.send(`/api/ads/${id}/sold`, { method: 'PATCH', body: { isSold: true } })).status).toBe(404);
});

test.each([
  'search=%00',
  'category=%00',
  'minPrice=NaN',
  'minPrice=-1',
  'minPrice=1e9',
  'minPrice=5&maxPrice=1',
  'limit=0',
  'limit=-1',
  'limit=1e9',
  'limit=101',
  'category=a&category=b',
  'search[]=a&search=b&search=c',
  `search=${'x'.repeat(201)}`,
  `cursor=${'1'.repeat(300)}`,
])('a query of %s is 400 or harmless, never a failure', async (query) => {
  const { status, body } = await anonymous.send(`/api/ads?${query}`);
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});

test.each([
  '%22',
  '!!!',
  'a:*',
  '<->',
  '%5C',
  '%25',
  '_',
  '%26'.repeat(60),
  "'%20or%201=1--",
  '%E2%80%AE',
  '(',
  ')',
  'a%20%7C%20b',
  ':*:*',
  '%F0%9F%92%A9',
])('searching for %s is no syntax error', async (search) => {
  expect((await anonymous.send(`/api/ads?search=${search}`)).status).toBe(200);
});

test('a cursor beyond every id costs nothing, to anybody and to administrators', async () => {
  await user.ok(createAd, { body: adBody({ title: 'Red kettle' }) });
  const query = 'search=kettle&cursor=9223372036854775807';
  expect((await anonymous.send(`/api/ads?${query}`)).status).toBe(200);
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  expect((await admin.send(`/api/admin/ads?${query}`)).status).toBe(200);
});
