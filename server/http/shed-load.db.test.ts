import type { Context } from 'koa';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import type { App } from '../app.ts';
import { connectDb } from '../db/connect.ts';
import { AppError } from '../errors.ts';
import { openShedder } from './shed-load.ts';

const database = await createTestDatabase();
const db = connectDb({ url: database.url, name: 'test', poolMax: 1, acquireTimeout: 3_600_000 });
const shedder = openShedder({ db } as App);
afterAll(async () => {
  shedder.close();
  await db.destroy();
  await database.drop();
});

const ended = Promise.withResolvers<void>();
const requests: Promise<unknown>[] = [];
/** A request that is at work until `ended`. */
const begin = (path = '/api/ads'): void => {
  requests.push(shedder.middleware({ path } as Context, () => ended.promise) as Promise<unknown>);
};
const ask = (path: string): Promise<unknown> =>
  (shedder.middleware({ path } as Context, async () => {}) as Promise<void>).then(
    () => 'accepted',
    (error: AppError) => error,
  );

test('what cannot be done in time is refused at once, signing in last; what was accepted goes on', async () => {
  for (let i = 0; i < 200; i++) begin();
  expect(await ask('/api/ads'), 'slow uploads alone are no overload').toBe('accepted');
  const holder = await db.transaction();
  const waiting = Array.from({ length: 51 }, () => db.raw('select 1').then(() => {}));
  const shed = await Promise.all(Array.from({ length: 50 }, () => ask('/api/ads')));
  for (const error of shed) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'overloaded', status: 503 });
  }
  const after = new Set(shed.map((error) => (error as AppError).retryAfter));
  expect([...after].every((seconds) => seconds! >= 1 && seconds! <= 5)).toBe(true);
  expect(after.size, 'they come back at different moments').toBeGreaterThan(1);
  expect(await ask('/api/auth/admin')).toBe('accepted');
  for (let i = 0; i < 200; i++) begin('/api/auth/admin');
  expect(await ask('/api/auth/admin')).toMatchObject({ code: 'overloaded' });
  await holder.rollback();
  await Promise.all(waiting);
  expect(await ask('/api/ads')).toBe('accepted');
  ended.resolve();
  await Promise.all(requests);
});
