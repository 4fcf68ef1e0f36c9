import { get } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../contract/ads.ts';
import * as auth from '../../contract/auth.ts';
import { RATE_LIMITS } from '../../contract/limits.ts';
import { getPasswords } from '../../server/features/auth/password.ts';
import { openTestApp } from '../harness/app.ts';
import { adBody, insertAdmin, insertCategories, insertUser, PASSWORD, SETTLED } from '../harness/factories.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';

const { app, url, signIn, anonymous } = await openTestApp({
  env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY_HOPS: '1' },
});
beforeAll(() => insertCategories(app));

const from = (ip: string) => ({ 'X-Forwarded-For': ip });
const guess = (ip: string, username = 'admin', path = '/api/auth/admin') =>
  anonymous.send(path, { method: 'POST', body: { username, password: 'guess' }, headers: from(ip) });

const signInFrom = (ip: string, username: string) =>
  anonymous.call(auth.signInAdmin, { body: { username, password: PASSWORD }, headers: from(ip) });

async function repeat<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await work(i));
  return results;
}

describe('guessing an administrator’s password', () => {
  test('ends after ten tries from one address, without hashing another', async () => {
    const { verify } = getPasswords(app);
    let hashed = 0;
    getPasswords(app).verify = (...args) => {
      hashed++;
      return verify(...args);
    };
    const answers = await repeat(RATE_LIMITS.adminSignIn.points + 5, (i) => guess('1.1.1.1', `admin${i}`));
    getPasswords(app).verify = verify;
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    expect(hashed).toBe(10);
    const last = answers.at(-1);
    expect(last?.body.code).toBe('rate_limited');
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(600);
  });

  test('of one login from many addresses slows down and never locks the administrator out', async () => {
    const { login } = await insertAdmin(app);
    const answers = await repeat(10, (i) => guess(`2.2.2.${i}`, i % 2 ? login : login.toUpperCase()));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
    const start = performance.now();
    expect((await signInFrom('2.2.3.1', login)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(200);
  });

  test('does not keep an administrator out of an address that has signed in before', async () => {
    const { login } = await insertAdmin(app);
    expect((await signInFrom('2.2.4.1', login)).status).toBe(200);
    await repeat(12, (i) => guess('2.2.4.1', `stranger${i}`));
    expect((await guess('2.2.4.1', 'stranger')).status).toBe(429);
    await repeat(12, () => guess('2.2.4.1', login));
    await repeat(10, (i) => guess(`2.2.5.${i}`, login));
    expect((await signInFrom('2.2.4.1', login)).status).toBe(200);
    expect((await signInFrom('2.2.4.1', login)).status).toBe(200);
  });

  test('successful sign-ins do not count', async () => {
    const { login } = await insertAdmin(app);
    const answers = await repeat(12, () => signInFrom('2.2.6.1', login));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await guess('2.2.6.1', 'another')).status).toBe(401);
  });

  test('counts a whole IPv6 /64 as one address', async () => {
    const answers = await repeat(11, (i) => guess(`2001:db8:1:2::${i + 1}`, `user${i}`));
    expect(answers.at(-1)?.status).toBe(429);
    expect((await guess('2001:db8:1:3::1', 'somebody')).status).toBe(401);
  });

  test('is not reset by another spelling of the path or by a forged header', async () => {
    await repeat(10, (i) => guess('3.3.3.3', `name${i}`));
    expect((await guess('6.6.6.6, 3.3.3.3', 'name')).status).toBe(429);
    expect((await guess('3.3.3.3', 'name', '/api/auth/admin?x=1')).status).toBe(429);
    for (const path of ['/API/auth/ADMIN', '/api/auth/admin/', '/api//auth/admin'])
      expect([404, 405]).toContain((await guess('3.3.3.3', 'name', path)).status);
    expect((await guess('3.3.3.3', 'name', '/api/auth/%61dmin')).status).not.toBe(401);
  });
});

test('signed-in people are counted by themselves, wherever they are', async () => {
  const [one, other] = [await signIn((await insertUser(app, SETTLED)).id), await signIn((await insertUser(app)).id)];
  const post = (client: typeof one, i: number) =>
    client.send('/api/ads', { method: 'POST', body: adBody(), headers: from(`4.4.${i}.4`) });
  const answers = await repeat(RATE_LIMITS.createAd.points + 1, (i) => post(one, i));
  expect(answers.at(-2)?.status).toBe(201);
  expect(answers.at(-1)?.status).toBe(429);
  expect((await post(other, 1)).status).toBe(201);
});

test('limits of writes live in Postgres: another replica knows them', async () => {
  const user = await insertUser(app);
  const client = await signIn(user.id);
  await repeat(3, () => client.send('/api/ads', { method: 'POST', body: adBody() }));
  expect(
    await app
      .db('rate_limits')
      .where({ key: `createAd:u${user.id}` })
      .pluck('points'),
  ).toEqual([3]);
});

test('while Postgres cannot be asked, each replica counts in memory', async () => {
  const { acquireConnection } = app.db.client;
  const statuses = await (async () => {
    app.db.client.acquireConnection = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    try {
      return await repeat(6, () =>
        anonymous
          .send('/api/contact', { method: 'POST', body: {}, headers: from('5.5.5.5') })
          .then(({ status }) => status),
      );
    } finally {
      app.db.client.acquireConnection = acquireConnection;
    }
  })();
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
});

test('starting sign-ins is limited', async () => {
  const start = () => anonymous.send('/api/auth/twitter', { headers: from('7.7.7.7') });
  const answers = await repeat(RATE_LIMITS.signIn.points + 1, start);
  expect(answers.at(-2)?.status).toBe(302);
  expect(answers.at(-1)?.status).toBe(429);
});

test('reading is limited in memory alone', async () => {
  const rows = () => app.db('rate_limits').where('key', 'like', 'read:%').count();
  await anonymous.call(auth.getMe, { headers: from('8.8.8.8') });
  expect(await rows()).toEqual([{ count: '0' }]);
});

test('images that have to be loaded are limited, those in memory are not', async () => {
  const { points } = RATE_LIMITS.image;
  const ask = (path: string, method = 'GET') => anonymous.send(path, { method, headers: from('8.8.4.4') });
  const missing = (i: number) => ask(`/media/${String(i).padStart(64, '0')}/card.jpg`);
  const client = await signIn((await insertUser(app, SETTLED)).id);
  const photo = toDataUrl(await makePhoto({ width: 64, height: 64, seed: 1 }));
  const { imageUrls } = await client.ok(createAd, { body: adBody({ imageUrls: [photo] }) });
  const image = imageUrls[0]!;
  // charged once
  for (const method of ['GET', 'GET', 'HEAD']) expect((await ask(image, method)).status).toBe(200);
  const answers = await repeat(points, missing);
  expect(answers.map(({ status }) => status)).toEqual([...Array(points - 1).fill(404), 429]);
  expect((await ask(image.replace('full', 'thumb'))).status).toBe(429);
  for (const method of ['GET', 'HEAD']) expect((await ask(image, method)).status).toBe(200);
});

test('a search by page counts like one by the API, however its path is written', async () => {
  const search = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      // fetch would resolve the dots
      get(url, { path, headers: from('9.9.9.9') }, (res) => resolve(res.resume().statusCode)).on('error', reject);
    });
  const paths = [
    '/?search=',
    '/.?minPrice=',
    '/categories?category=',
    '/x/../categories?category=',
    '/api/ads?search=',
  ];
  const statuses = await repeat(RATE_LIMITS.search.points, (i) => search(`${paths[i % paths.length]}${i}`));
  // a page of an unknown category is not found
  expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
  for (const path of paths) expect(await search(`${path}1000`)).toBe(429);
  for (const path of ['/', '/?utm_source=x', '/categories', '/categories?sort=newest', '/about?search=lamp'])
    expect([200, 404]).toContain(await search(path));
});
