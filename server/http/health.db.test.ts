import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import type { Config } from '../config/load.ts';
import { type Db, ping } from '../db/pools.ts';
import { createHealth, type Lifecycle } from './health.ts';

vi.mock('../db/pools.ts', async (importOriginal) => {
  const ping = vi.fn((db: Db) => db.raw('select pg_sleep(0.1)'));
  return { ...(await importOriginal<object>()), ping };
});

const database = await createTestDatabase();
const lifecycle: Lifecycle = { phase: 'ready' };
const health = createHealth({ config: { databaseUrl: database.url } as Config }, lifecycle);
afterAll(async () => {
  await health.close();
  await database.drop();
});

test('however many ask at once, the database is asked once, and again a little later', async () => {
  const ask = () => Promise.all(Array.from({ length: 50 }, () => health.isReady()));
  expect(await ask()).toEqual(Array(50).fill({ ready: true }));
  expect(await ask()).toEqual(Array(50).fill({ ready: true }));
  expect(ping).toHaveBeenCalledTimes(1);
  const countAfterAnother = () => health.isReady().then(() => vi.mocked(ping).mock.calls.length);
  await expect.poll(countAfterAnother).toBe(2);
});

test('who stops is not ready at once, whatever was found before', async () => {
  expect(await health.isReady()).toEqual({ ready: true });
  lifecycle.phase = 'draining';
  expect(await health.isReady()).toEqual({ ready: false, reason: 'draining' });
  lifecycle.phase = 'ready';
});
