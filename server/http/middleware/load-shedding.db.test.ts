import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Context } from 'koa';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { createPool, readPoolState } from '../../db/pools.ts';
import type { AppError } from '../../errors.ts';
import { createLoadShedder, type LoadShedder } from './load-shedding.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test', poolMax: 1, acquireTimeout: 3_600_000 });
const pools = { db, reads: db };
const PATIENT = { queueTimeoutMs: 3_600_000, maxWaiting: 10_000 };
const patient = createLoadShedder(pools, PATIENT);
const impatient = createLoadShedder(pools, { queueTimeoutMs: 1 });
afterAll(async () => {
  patient.close();
  impatient.close();
  await db.destroy();
  await database.drop();
});

/** "GET /path", from an address that may stand behind it. */
const contextOf = (request: string, destroyed = false) => {
  const [method, path, ip = '192.0.2.1'] = request.split(' ');
  return { method, path, res: { destroyed }, state: { ip } } as Context;
};
const ask = (shedder: LoadShedder, request = 'GET /api/ads'): Promise<unknown> =>
  (shedder.middleware(contextOf(request), async () => {}) as Promise<void>).then(
    () => 'accepted',
    (error: AppError) => error,
  );

/** As many at work as begin in any case, until the function is called that this returns. */
function occupy(shedder: LoadShedder, count = 6): () => Promise<unknown> {
  const ended = Promise.withResolvers<void>();
  const slow = Array.from({ length: count }, () => shedder.middleware(contextOf('GET /api/ads'), () => ended.promise));
  return () => {
    ended.resolve();
    return Promise.all(slow);
  };
}

/** Takes the only connection and lets so many queries wait for it. */
async function exhaust(queries = 50): Promise<() => Promise<void>> {
  const holder = await db.transaction();
  const waiting = Array.from({ length: queries }, () => db.raw('select 1').then(() => {}));
  // a query asks for its connection a little later
  while (readPoolState(db).waiting < queries) await turn();
  return async () => {
    await holder.rollback();
    await Promise.all(waiting);
  };
}

/** In which order requests have their turn that all came while there was too much to do. */
async function orderOf(requests: string[]): Promise<string[]> {
  const shedder = createLoadShedder(pools, PATIENT);
  const end = occupy(shedder);
  const release = await exhaust();
  const order: string[] = [];
  const asked = requests.map((request) => shedder.middleware(contextOf(request), async () => void order.push(request)));
  await release();
  await Promise.all(asked);
  await end();
  shedder.close();
  return order;
}

const many = (count: number, request: string): string[] => Array.from({ length: count }, () => request);

test('requests that wait for a slow body take no place from others, even while the database hangs', async () => {
  const ended = Promise.withResolvers<void>();
  const slow = Array.from({ length: 500 }, () => {
    const ctx = contextOf('POST /api/ads');
    return impatient.middleware(ctx, () => ctx.state.withoutPlace(() => ended.promise));
  });
  const release = await exhaust();
  expect(await ask(impatient)).toBe('accepted');
  ended.resolve();
  await Promise.all(slow);
  await release();
  expect(await ask(impatient)).toBe('accepted');
});

test('when more wait than have their turn in time, the newest go first, and the last fifty in order', async () => {
  const requests = Array.from({ length: 300 }, (_, i) => `GET /api/ads/${i}`);
  const order = await orderOf(requests);
  expect(order).toEqual([...requests.slice(50).reverse(), ...requests.slice(0, 50)]);
});

test('many requests at work are no overload', async () => {
  const end = occupy(patient, 199);
  expect(await ask(patient)).toBe('accepted');
  await end();
});

test('whose turn does not come in time is refused, to come back at different moments', async () => {
  const end = occupy(impatient);
  const release = await exhaust();
  const refused = await Promise.all(Array.from({ length: 50 }, () => ask(impatient)));
  for (const error of refused) expect(error).toMatchObject({ code: 'overloaded', status: 503 });
  const after = new Set(refused.map((error) => (error as AppError).retryAfter));
  expect([...after].every((seconds) => seconds! >= 1 && seconds! <= 5)).toBe(true);
  expect(after.size).toBeGreaterThan(1);
  await release();
  await end();
  expect(await ask(impatient)).toBe('accepted');
});

test('no request is refused while there is still time: all have their turn, signing in and out first', async () => {
  const order = await orderOf([...many(1000, 'GET /api/ads'), 'POST /api/auth/admin']);
  expect(order).toHaveLength(1001);
  expect(order[0]).toBe('POST /api/auth/admin');
});

test('however many sign in, every second turn is that of the others', async () => {
  const people = Array.from({ length: 1000 }, (_, i) => `GET /api/auth/twitter 198.51.${i >> 8}.${i & 255}`);
  const order = await orderOf([...people, ...many(100, 'GET /api/ads')]);
  expect(order).toHaveLength(1100);
  expect(order.slice(0, 200).filter((request) => request === 'GET /api/ads')).toHaveLength(100);
});

test('a write has its turn before those who read, and a flood of writes from one address delays no other', async () => {
  const order = await orderOf([
    ...many(1000, 'POST /api/messages'),
    ...many(1000, 'GET /api/ads'),
    'POST /api/messages 198.51.100.7',
  ]);
  expect(order).toHaveLength(2001);
  expect(order.indexOf('POST /api/messages 198.51.100.7')).toBeLessThan(12);
});

test('event streams that all open at once delay nobody else', async () => {
  const order = await orderOf([...many(2000, 'GET /api/messages/stream'), 'GET /api/ads', 'POST /api/messages']);
  expect(order.indexOf('GET /api/ads')).toBeLessThan(4);
  expect(order.indexOf('POST /api/messages')).toBeLessThan(4);
});

test('a flood of sign-ins from one address delays no sign-in from another', async () => {
  const flood = many(1000, 'GET /api/auth/twitter');
  const order = await orderOf([
    ...flood,
    'GET /api/auth/twitter 198.51.100.7',
    ...flood,
    'POST /api/auth/admin 2001:db8::7',
  ]);
  expect(order).toHaveLength(2002);
  expect(order.indexOf('GET /api/auth/twitter 198.51.100.7')).toBeLessThan(10);
  expect(order.indexOf('POST /api/auth/admin 2001:db8::7')).toBeLessThan(12);
});

test.each(['GET /api/auth/twitter', 'GET /api/auth/twitter/callback', 'POST /api/auth/admin', 'POST /api/auth/logout'])(
  '%s goes first, nothing that only looks like it',
  async (signing) => {
    const others = ['POST /api/auth/twitter', 'GET /api/auth/nothing', 'GET /api/auth/me', 'GET /api/auth/admin'];
    expect(await orderOf([...others, signing])).toEqual([signing, ...others]);
  },
);

test('requests wait while the replica that most of them read has enough to do', async () => {
  const idle = createPool({ url: database.url, name: 'test' });
  const shedder = createLoadShedder({ db: idle, reads: db }, { queueTimeoutMs: 1 });
  const end = occupy(shedder);
  const release = await exhaust();
  expect(await ask(shedder)).toMatchObject({ code: 'overloaded' });
  await release();
  await end();
  shedder.close();
  await idle.destroy();
});

test('a few begin even while the database hangs, to say so or to answer from memory', async () => {
  const release = await exhaust();
  expect(await ask(impatient)).toBe('accepted');
  expect(await impatient.inTurn(async () => 'done')).toBe('done');
  await release();
});

test('requests that begin to ask for connections meanwhile make the others wait, a few at a time', async () => {
  const release = await exhaust();
  let most = 0;
  let working = 0;
  const asked = Array.from({ length: 500 }, () =>
    patient.middleware(contextOf('GET /api/ads'), async () => {
      most = Math.max(most, ++working);
      await db.raw('select 1');
      working--;
    }),
  );
  await release();
  await Promise.all(asked);
  expect(most).toBeLessThan(250);
});

test('when the queue is full, more are refused at once, but nobody who signs in, writes or opens an event stream', async () => {
  const shedder = createLoadShedder(pools, { ...PATIENT, maxWaiting: 5 });
  const end = occupy(shedder);
  const release = await exhaust();
  const waiting = Array.from({ length: 5 }, () => ask(shedder));
  expect(await ask(shedder)).toMatchObject({ code: 'overloaded', status: 503 });
  const isFullFor = (method: string, url: string) => shedder.isFullFor({ method, url });
  expect(isFullFor('GET', '/api/ads?page=2')).toBe(true);
  expect(isFullFor('GET', '/')).toBe(true);
  for (const [method, url] of [
    ['GET', '/api/auth/twitter?returnTo=/'],
    ['POST', '/api/auth/admin'],
    ['POST', '/api/messages'],
    ['GET', '/api/messages/stream'],
  ] as const)
    expect(isFullFor(method, url)).toBe(false);
  const signIn = ask(shedder, 'POST /api/auth/admin');
  await release();
  expect(await Promise.all([...waiting, signIn])).toEqual(Array(6).fill('accepted'));
  expect(isFullFor('GET', '/api/ads')).toBe(false);
  await end();
  shedder.close();
});

test('who has gone away while waiting costs nothing more', async () => {
  let isDone = false;
  const gone = patient.middleware(contextOf('GET /api/ads', true), async () => {
    isDone = true;
  });
  await expect(gone).rejects.toMatchObject({ code: 'client_closed_request' });
  expect(isDone).toBe(false);
});

test('requests that have waited leave no memory, however few wait at a time', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const end = occupy(patient, 5);
  const askMany = async (rounds: number) => {
    for (let i = 0; i < rounds; i++) await Promise.all(Array.from({ length: 20 }, () => ask(patient)));
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await askMany(100);
  const after = await askMany(1500);
  await end();
  expect(after - before).toBeLessThan(3_000_000);
});
