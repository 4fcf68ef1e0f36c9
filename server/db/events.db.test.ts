import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { openProxy } from '../../test/harness/proxy.ts';
import { createLog } from '../observability/log.ts';
import { createListener } from './events.ts';
import { createPool } from './pools.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'tradepost test' });
const proxy = await openProxy(new URL(database.directUrl));
const listener = createListener(proxy.url, createLog('silent'), { pingMs: 50, pongMs: 200 });
afterAll(async () => {
  await listener.close();
  proxy.close();
  await db.destroy();
  await database.drop();
});

test('a connection that froze is given up, its loss told, and another takes its place', async () => {
  const heard: string[] = [];
  let losses = 0;
  listener.on(
    'frost',
    (payload) => heard.push(payload),
    () => losses++,
  );
  await expect.poll(() => listener.isUp()).toBe(true);
  await db.raw("select pg_notify('frost', 'before')");
  await expect.poll(() => heard).toEqual(['', 'before']);
  proxy.freeze();
  await expect.poll(() => listener.isUp()).toBe(false);
  expect(losses).toBe(1);
  proxy.thaw();
  proxy.cut();
  await expect.poll(() => listener.isUp()).toBe(true);
  await db.raw("select pg_notify('frost', 'after')");
  await expect.poll(() => heard.slice(2)).toEqual(['', 'after']);
});

test.runIf(process.env.TEST_POOLER)('through a transaction pooler it never takes itself to hear', async () => {
  let losses = 0;
  const log = createLog('silent');
  const refused = new Promise((resolve) => {
    log.warn = ({ err }: { err: Error }) => resolve(err.message);
  });
  const deaf = createListener(database.url, log, { pingMs: 50, pongMs: 200 });
  deaf.on(
    'frost',
    () => {},
    () => losses++,
  );
  expect(await refused).toContain('DATABASE_DIRECT_URL');
  expect(deaf.isUp()).toBe(false);
  expect(losses).toBe(0);
  await deaf.close();
});
