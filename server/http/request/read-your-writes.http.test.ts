import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import * as ads from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { createPool } from '../../db/pools.ts';

// A database that follows no other: its rows show which database was read.
const replica = await createTestDatabase();
const behind = createPool({ url: replica.url, name: 'test' });
const { app, anonymous, signIn } = await openTestApp({ env: { DATABASE_REPLICA_URL: replica.url } });
await insertCategories(app);
await insertCategories({ db: behind });
afterAll(() => behind.destroy());

const seller = await insertUser(app);
const titles = async (client = anonymous) => (await client.ok(ads.listAds)).map(({ title }) => title);
const until = async (wanted: () => Promise<boolean>) => {
  while (!(await wanted())) await sleep(50);
};

test('lists come from the replica once it is seen to follow', async () => {
  await titles();
  await until(async () => app.reads !== app.db);
  await (await signIn(seller.id)).ok(ads.createAd, { body: adBody({ title: 'On the primary' }) });
  await until(async () => (await titles()).length === 0);
});

test('who has just written reads from the primary, and sees it', async () => {
  const client = await signIn(seller.id);
  const { status, headers } = await client.call(ads.createAd, { body: adBody({ title: 'My own' }) });
  expect(status).toBe(201);
  const mark = headers.getSetCookie().find((cookie) => cookie.startsWith('wrote='));
  expect(mark).toMatch(/^wrote=\d{13}\.[\w-]{43}; Path=\/; Max-Age=5; HttpOnly; SameSite=Lax$/);
  client.headers.Cookie = `${client.headers.Cookie}; ${JUST_WROTE}`;
  expect(await titles(client)).toContain('My own');
  expect(await titles()).not.toContain('My own');
});

test('a refused write leaves no mark', async () => {
  const { status, headers } = await anonymous.call(ads.createAd, { body: adBody() });
  expect(status).toBe(401);
  expect(headers.getSetCookie().filter((cookie) => cookie.startsWith('wrote='))).toEqual([]);
});

test('when the replica goes away in the middle, the same request is answered by the primary', async () => {
  await until(async () => app.reads !== app.db);
  await behind.destroy();
  await replica.drop();
  // Another query than before: the same would be answered from the second's cache.
  const found = await anonymous.ok(ads.listAds, { query: { limit: '50' } });
  expect(found.map(({ title }) => title)).toContain('My own');
  expect(app.reads).toBe(app.db);
});
