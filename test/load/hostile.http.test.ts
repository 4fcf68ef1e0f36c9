import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { listAds } from '../../contract/ads.ts';
import { getMe, signInAdmin } from '../../contract/auth.ts';
import { LIMITS } from '../../contract/limits.ts';
import { sendMessage } from '../../contract/messages.ts';
import { SERVER_OPTIONS, tuneServer } from '../../server/http/server.ts';
import { createServer } from '../../server/http/without-undici.ts';
import { openTestApp } from '../harness/app.ts';
import { adBody, insertAdmin, insertCategories, insertUser, PASSWORD } from '../harness/factories.ts';
import { type Attack, openStreams, readNothing, sendBodySlowly, sendBombs, sendHeadersSlowly } from './hostile.ts';

const { app, url, anonymous, signIn } = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } });
const { host, port } = new URL(url);
const target = { host, port: Number(port) };
beforeAll(() => insertCategories(app));

const signInMany = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => signIn((await insertUser(app)).id)));
const cookiesOf = (people: Awaited<ReturnType<typeof signInMany>>) => people.map(({ headers }) => headers.Cookie!);
const countOf = ({ statuses }: Attack, status: number) => statuses.get(status) ?? 0;

/** Repeats a refused request, as browsers do. */
const insist = (request: () => Promise<{ status: number }>, status: number) =>
  expect.poll(async () => (await request()).status).toBe(status);

test('people sign in, read and write while many clients are slow, read nothing or send too much', async () => {
  const [seller, buyer, ...others] = await signInMany(22);
  const { login } = await insertAdmin(app);
  const { id: adId, userId: receiverId } = (await seller!.send('/api/ads', { method: 'POST', body: adBody() })).body;
  const streams = openStreams(target, 20 * LIMITS.streamsPerUser, cookiesOf(others));
  await expect.poll(() => countOf(streams, 200)).toBe(20 * LIMITS.streamsPerUser);
  const slowHeaders = sendHeadersSlowly(target, 200);
  const slowBodies = sendBodySlowly(target, 200);
  const readers = readNothing(target, 50);
  const bombs = sendBombs(target, 5);
  await expect.poll(() => [slowHeaders, slowBodies, readers].map(({ opened }) => opened)).toEqual([200, 200, 50]);

  for (let i = 0; i < 10; i++) {
    await insist(() => anonymous.call(listAds, { query: { minPrice: String(i) } }), 200);
    await insist(() => buyer!.call(getMe), 200);
    const body = { adId, receiverId, content: `Is it still there? ${i}` };
    await insist(() => buyer!.call(sendMessage, { body }), 201);
    await insist(() => anonymous.call(signInAdmin, { body: { username: login, password: PASSWORD } }), 200);
  }

  await expect.poll(() => countOf(bombs, 415)).toBeGreaterThan(0);
  await expect.poll(() => [slowHeaders.closed, countOf(slowHeaders, 408)]).toEqual([200, 200]);
  await expect.poll(() => slowBodies.closed).toBe(200);
  for (const attack of [slowHeaders, slowBodies, readers, streams, bombs]) attack.stop();
  await insist(() => buyer!.call(getMe), 200);
});

test('a client that reads nothing is disconnected, later than the beat of an event stream', async () => {
  const server = tuneServer(
    createServer(SERVER_OPTIONS, (_request, response) => void response.end(Buffer.alloc(50_000_000))),
    app,
  );
  expect(server.timeout).toBeGreaterThan(2000 * LIMITS.streamBeatSeconds);
  server.timeout = 500;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [accepted] = await once(server, 'connection');
  await once(accepted, 'close');
  socket.destroy();
  server.close();
});
