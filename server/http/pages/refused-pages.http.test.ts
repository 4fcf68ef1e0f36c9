import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { AppError } from '../../errors.ts';
import type { LoadShedder } from '../middleware/load-shedding.ts';

const load = vi.hoisted(() => ({ isTooMuch: false, isFull: false }));
vi.mock('../middleware/load-shedding.ts', () => {
  const inTurn: LoadShedder['inTurn'] = async (work) => {
    if (load.isTooMuch) throw new AppError('overloaded', { retryAfter: 4 });
    return work();
  };
  const createLoadShedder = (): LoadShedder => ({
    inTurn,
    middleware: (_, next) => inTurn(next),
    isFullFor: () => load.isFull,
    close() {},
  });
  return { createLoadShedder, drawRetryAfter: () => 4 };
});
const { app, anonymous, signIn } = await openTestApp();

test('a page whose turn does not come is the page that says so, not JSON', async () => {
  const person = await signIn((await insertUser(app)).id);
  const shed = vi.spyOn(app.metrics, 'requestShed');
  load.isTooMuch = true;
  for (const client of [anonymous, person]) {
    const { status, headers, body } = await client.send('/about');
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(headers.get('retry-after')).toBe('4');
    expect(body).toContain('id="boot"');
    // whether a request with a session is signed in is not known
    expect([client === person, body.includes('"me":null')]).toEqual([client === person, client === anonymous]);
  }
  expect(shed).toHaveBeenCalledTimes(2);
});

test('what is no page is refused as JSON', async () => {
  load.isTooMuch = true;
  for (const path of ['/api/ads', '/api', '/sitemap.xml']) {
    const { status, body } = await anonymous.send(path);
    expect([status, body]).toEqual([503, expect.objectContaining({ code: 'overloaded' })]);
  }
});

test('what is refused before Koa looks like what is refused after it, and closes a connection with a body', async () => {
  const send = async (isFull: boolean, method?: string) => {
    [load.isFull, load.isTooMuch] = [isFull, true];
    const body = method && {};
    const { status, headers, ...rest } = await anonymous.send('/api/contact', { method, body }).finally(() => {
      load.isFull = false;
    });
    const { 'x-request-id': id, date: _date, ...others } = Object.fromEntries(headers);
    expect(rest.body.requestId).toBe(id);
    return { status, others, body: { ...rest.body, requestId: '' } };
  };
  expect(await send(true)).toEqual(await send(false));
  expect((await send(true, 'POST')).others.connection).toBe('close');
});

test('a page in memory needs no turn', async () => {
  const askTwice = async () => {
    load.isTooMuch = false;
    await anonymous.send('/');
    load.isTooMuch = true;
    return (await anonymous.send('/')).status;
  };
  // again where the second that it is kept went by in between
  await expect.poll(askTwice).toBe(200);
});

test('an image in memory or on disk needs no turn; one that has to be loaded does', async () => {
  load.isTooMuch = false;
  await insertCategories(app);
  const seller = await signIn((await insertUser(app)).id);
  const photo = toDataUrl(await makePhoto({ width: 64, height: 64, seed: 1 }));
  const { imageUrls } = await seller.ok(createAd, { body: adBody({ imageUrls: [photo] }) });
  const image = imageUrls[0]!;
  await anonymous.send(image);
  load.isTooMuch = true;
  const ask = async (path: string, method: string) => (await anonymous.send(path, { method })).status;
  for (const method of ['GET', 'HEAD']) {
    expect(await ask(image, method)).toBe(200);
    expect(await ask(image.replace('full', 'medium'), method)).toBe(503);
    expect(await ask(`/media/${'0'.repeat(64)}/card.jpg`, method)).toBe(503);
  }
  load.isTooMuch = false;
  expect(await ask(image.replace('full', 'medium'), 'GET')).toBe(200);
});

test('with a full queue, who would be refused gets what has just expired, unless they have just written', async () => {
  Object.assign(load, { isTooMuch: false, isFull: false });
  const paths = ['/', '/api/ads?limit=7'];
  for (const path of paths) await anonymous.send(path);
  await sleep(600);
  Object.assign(load, { isTooMuch: true, isFull: true });
  const sendAll = async (headers = {}) =>
    Promise.all(paths.map(async (path) => (await anonymous.send(path, { headers })).status));
  expect(await sendAll()).toEqual([200, 200]);
  expect(await sendAll({ cookie: JUST_WROTE })).toEqual([503, 503]);
  load.isFull = false;
  expect(await sendAll()).toEqual([503, 503]);
});
