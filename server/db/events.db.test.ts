import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { openProxy } from '../../test/harness/proxy.ts';
import { createLog } from '../observability/log.ts';
import { createEvents, type EventPayloads, publish } from './events.ts';
import { createPool } from './pools.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'tradepost test' });
const proxy = await openProxy(new URL(database.directUrl));
const events = createEvents(proxy.url, createLog('silent'), { pingMs: 50, timeoutMs: 200 });
afterAll(async () => {
  await events.close();
  proxy.close();
  await db.destroy();
  await database.drop();
});

test('a frozen connection is closed, onDown is called, and a new connection is opened', async () => {
  const received: (EventPayloads['images'] | null)[] = [];
  let losses = 0;
  events.subscribe(
    'images',
    (payload) => received.push(payload),
    () => losses++,
  );
  await expect.poll(() => events.isUp()).toBe(true);
  await publish(db, 'images', { sha256: 'before' });
  await expect.poll(() => received).toEqual([null, { sha256: 'before' }]);
  proxy.freeze();
  await expect.poll(() => events.isUp()).toBe(false);
  expect(losses).toBe(1);
  proxy.thaw();
  proxy.cut();
  await expect.poll(() => events.isUp()).toBe(true);
  await publish(db, 'images', { sha256: 'after' });
  await expect.poll(() => received.slice(2)).toEqual([null, { sha256: 'after' }]);
});

/**
 * Passes the first connection on to PostgreSQL. Cuts it when the second arrives, cuts that one only later, and every
 * further one at once.
 */
async function openCuttingProxy(target: URL) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    if (sockets.length > 2) socket.destroy();
    if (sockets.length === 2) {
      sockets[0]!.destroy();
      setTimeout(() => socket.destroy(), 200);
    }
    if (sockets.length > 1) return;
    const upstream = connect(Number(target.port), target.hostname).on('error', () => {});
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, sockets, close: () => server.close() };
}

test('a connection that is lost while it is checked never counts as up', async () => {
  const cutting = await openCuttingProxy(new URL(proxy.url));
  const unlucky = createEvents(cutting.url, createLog('silent'));
  let times = 0;
  unlucky.subscribe('images', () => times++);
  await expect.poll(() => cutting.sockets.length).toBeGreaterThan(4);
  expect([unlucky.isUp(), times]).toEqual([false, 0]);
  await unlucky.close();
  cutting.close();
});

test.runIf(process.env.TEST_POOLER)('through a transaction pooler the connection never counts as up', async () => {
  let losses = 0;
  const log = createLog('silent');
  const refused = new Promise((resolve) => {
    log.warn = (...[said]: readonly unknown[]) => resolve((said as { err: Error }).err.message);
  });
  const deaf = createEvents(database.url, log, { pingMs: 50, timeoutMs: 200 });
  deaf.subscribe(
    'images',
    () => {},
    () => losses++,
  );
  expect(await refused).toContain('DATABASE_DIRECT_URL');
  expect(deaf.isUp()).toBe(false);
  expect(losses).toBe(0);
  await deaf.close();
});

test('a session that ends, and a role, ban or deletion that changes, names the person and no other', async () => {
  const users = await db('users')
    .insert(['ann', 'ben', 'cem'].map((name) => ({ username: name, display_name: name })))
    .returning<{ id: string }[]>('id');
  const [ann, ben, cem] = users.map(({ id }) => id) as [string, string, string];
  const session = (user_id: string | null, n: number) => ({
    sid_hash: Buffer.alloc(32, n),
    user_id,
    kind: 'x',
    data: '{}',
    expires_at: '2099-01-01',
  });
  await db('sessions').insert([session(ann, 1), session(ann, 2), session(ben, 3), session(null, 4)]);

  const changed: string[] = [];
  const direct = createEvents(database.directUrl, createLog('silent'));
  direct.subscribe('sessions', (payload) => changed.push(payload?.userId ?? 'everybody'));
  await expect.poll(() => changed).toEqual(['everybody']);
  const changedBy = async (work: PromiseLike<unknown>) => {
    changed.length = 0;
    await work;
    await publish(db, 'sessions', { userId: 'end' });
    await expect.poll(() => changed.at(-1)).toBe('end');
    return changed.slice(0, -1);
  };
  expect(await changedBy(db('sessions').where({ user_id: ann }).delete())).toEqual([ann]);
  expect(await changedBy(db('sessions').where({ user_id: ann }).delete())).toEqual([]);
  expect(await changedBy(db('users').where({ id: ben }).update({ role: 'admin' }))).toEqual([ben]);
  expect(await changedBy(db('users').where({ id: cem }).update({ banned_at: db.fn.now() }))).toEqual([cem]);
  expect(
    await changedBy(
      db('users')
        .where({ id: cem })
        .update({ role: 'user', banned_at: db.ref('banned_at') }),
    ),
  ).toEqual([]);
  expect(await changedBy(publish(db, 'sessions', null))).toEqual(['everybody']);

  const crowd = await db('users')
    .insert(Array.from({ length: 21 }, (_, i) => ({ username: `crowd${i}`, display_name: 'Crowd' })))
    .returning<{ id: string }[]>('id');
  const fill = (people: { id: string }[]) => db('sessions').insert(people.map(({ id }, i) => session(id, 100 + i)));
  await fill(crowd);
  const sweep = () => db('sessions').whereNot({ user_id: ben }).delete();
  expect(await changedBy(sweep())).toEqual(['everybody']);
  await fill(crowd.slice(1));
  expect((await changedBy(sweep())).toSorted()).toEqual(
    crowd
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  );
  await direct.close();
});
