import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as ads from '../../contract/ads.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { openTestApp, type TestApp } from '../harness/app.ts';
import { type Client, createClient } from '../harness/client.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../harness/factories.ts';
import { findMissing } from './docker.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';

const until = async (wanted: () => boolean | Promise<boolean>) => {
  while (!(await wanted())) await sleep(50);
};

describe.skipIf(findMissing())('a streaming standby behind DATABASE_REPLICA_URL', () => {
  let pair: PostgresPair;
  let site: TestApp;
  let seller: Client;
  beforeAll(async () => {
    pair = await startPostgresPair();
    await migrateUp({ url: pair.primaryUrl });
    const database = { url: pair.primaryUrl, directUrl: pair.primaryUrl, drop: async () => {} };
    site = await openTestApp({ database, env: { DATABASE_REPLICA_URL: pair.standbyUrl } });
    await insertCategories(site.app);
    seller = await site.signIn((await insertUser(site.app, SETTLED)).id);
  });
  afterAll(() => pair?.close());

  const isOnStandby = () => site.app.reads !== site.app.db;
  // A different limit each time, because the response cache would serve the same URL.
  let asked = 0;
  const titles = async (client: Client) => {
    const found = await client.ok(ads.listAds, { query: { limit: String(30 + (asked++ % 70)) } });
    return found.map(({ title }) => title);
  };
  const post = async (title: string) => {
    const { status, headers } = await seller.call(ads.createAd, { body: adBody({ title }) });
    expect(status).toBe(201);
    const mark = headers.getSetCookie().find((cookie) => cookie.startsWith('wrote='));
    expect(mark).toMatch(/Max-Age=5/);
    return createClient(site.url, { Cookie: `${seller.headers.Cookie}; ${mark?.split(';')[0]}` });
  };
  const sees = async (client: Client, title: string) => (await titles(client)).includes(title);

  test('lists are read there, and what is posted is there within moments', async () => {
    await titles(site.anonymous);
    await until(isOnStandby);
    const { rows } = await site.app.reads.raw('select pg_is_in_recovery() as standby');
    expect(rows).toEqual([{ standby: true }]);
    await post('Streamed');
    await until(() => sees(site.anonymous, 'Streamed'));
    expect(pair.onStandby("select count(*) from ads where title = 'Streamed'")).toBe('1');
  });

  test('while it is paused, the writer sees a change at once, and everyone once it is seconds behind', async () => {
    await until(isOnStandby);
    pair.onStandby('select pg_wal_replay_pause()');
    await post('Not replayed');
    const writer = await post('Not replayed either');
    expect(await sees(writer, 'Not replayed')).toBe(true);
    if (isOnStandby()) expect(await sees(site.anonymous, 'Not replayed')).toBe(false);
    await until(() => sees(site.anonymous, 'Not replayed'));
    expect(isOnStandby()).toBe(false);
    expect(pair.onStandby("select count(*) from ads where title like 'Not replayed%'")).toBe('0');
    pair.onStandby('select pg_wal_replay_resume()');
    await until(isOnStandby);
    expect(await sees(site.anonymous, 'Not replayed either')).toBe(true);
  });

  test('it may go away and come back: every list is answered, and it is read again', async () => {
    const statuses = new Set<number>();
    const read = async () => {
      const { status } = await site.anonymous.call(ads.listAds, { query: { limit: String(30 + (asked++ % 70)) } });
      statuses.add(status);
    };
    const readWhile = async (work: Promise<unknown>) => {
      let done = false;
      const working = work.finally(() => {
        done = true;
      });
      while (!done) await read();
      await working;
    };
    await until(isOnStandby);
    await readWhile(pair.stopStandby());
    await readWhile(until(() => !isOnStandby()));
    await post('While it was away');
    await readWhile(pair.startStandby());
    await readWhile(until(isOnStandby));
    expect([...statuses]).toEqual([200]);
    await until(() => sees(site.anonymous, 'While it was away'));
    await until(() => pair.onStandby("select count(*) from ads where title = 'While it was away'") === '1');
  });
});
