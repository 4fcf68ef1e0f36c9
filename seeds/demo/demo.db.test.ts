import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { withoutIndexes } from '../../server/db/bulk.ts';
import { createPool } from '../../server/db/pools.ts';
import { listAdsByIds } from '../../server/features/ads/repository.ts';
import { findPage } from '../../server/features/ads/search/repository.ts';
import { parseSearch } from '../../server/features/ads/search/words-repository.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { insertCategories } from '../../test/harness/factories.ts';
import { seedDemo } from './demo.ts';
import { DEMO_TRAPS } from './generator.ts';

const database = await createTestDatabase();
const cache = await mkdtemp(join(tmpdir(), 'demo-'));
const app = createAppContext(
  readConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, CACHE_DIR: cache, LOG_LEVEL: 'silent' }),
);
afterAll(async () => {
  await app.close();
  await database.drop();
  await rm(cache, { recursive: true });
});
const search = async (words: string) =>
  (await findPage(app.db, { query: await parseSearch(app.db, words) }, { limit: 100 })).ids;

test('without categories it says what to do first', async () => {
  await expect(seedDemo(app, { ads: 10 })).rejects.toThrow('marketctl seed categories');
});

test('a demo marketplace is whole: ads with photos, sellers, favorites and conversations', async () => {
  await insertCategories(app);
  const steps: string[] = [];
  const { ads, sellers } = await seedDemo(app, { ads: 1000, onProgress: (step) => steps.push(step) });
  expect([ads, sellers]).toEqual([1000, 50]);
  expect(steps.length).toBeGreaterThan(2);
  const listed = await listAdsByIds(app.db, (await findPage(app.db, {}, { limit: 100 })).ids);
  expect(listed).toHaveLength(100);
  expect(listed.some((row) => row.images.length > 0)).toBe(true);
  const image = listed.find((row) => row.images.length > 0)!.images[0]!;
  expect(await app.imageStore.get({ sha256: image.sha256, variant: 'thumb' })).toBeDefined();
  const { rows } = await app.db.raw(
    `select (select count(*)::int from conversations) as conversations, (select count(*)::int from messages where not is_read) as unread,
       (select count(*)::int from favorites f join ads a on a.id = f.ad_id where a.user_id = f.user_id) as own_favorites`,
  );
  expect(rows[0]).toEqual({ conversations: 20, unread: 20, own_favorites: 0 });
});

test('its totals are those that counting gives', async () => {
  const counted = await app.db('ads').where({ listed: true }).count();
  expect((await findPage(app.db, {})).total?.count).toBe(Number(counted[0]!.count));
});

test('its traps are laid: a word only old ads have, words that never meet', async () => {
  const old = await search(DEMO_TRAPS.onlyOld);
  const oldest = await app.db('ads').min('id').max('id').first();
  const tenth = Number(oldest!.min) + (Number(oldest!.max) - Number(oldest!.min)) / 10;
  expect(old.length).toBeGreaterThan(10);
  expect(Math.max(...old.map(Number))).toBeLessThan(tenth + 1);
  const [one, two] = DEMO_TRAPS.neverTogether;
  expect((await search(one)).length).toBe(100);
  expect((await search(two)).length).toBe(100);
  expect(await search(`${one} ${two}`)).toEqual([]);
});

test('the same seed gives the same marketplace, added to what is there', async () => {
  await seedDemo(app, { ads: 1000 });
  const titles = await app.db('ads').orderBy('id').pluck('title');
  expect(titles).toHaveLength(2000);
  expect(titles.slice(1000)).toEqual(titles.slice(0, 1000));
});

test('indexes that were put aside for loading are there again afterwards, and also when loading fails', async () => {
  const db = createPool({ url: database.url, name: 'test' });
  const names = () => db('pg_indexes').where({ tablename: 'ads' }).orderBy('indexdef').pluck('indexdef');
  const before = await names();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await withoutIndexes(client, 'ads', async () => {
    expect((await client.query("select from pg_indexes where tablename = 'ads'")).rowCount).toBe(1);
  });
  await client.query('commit');
  expect(await names()).toEqual(before);
  await client.query('begin');
  await expect(withoutIndexes(client, 'ads', () => Promise.reject(new Error('disk full')))).rejects.toThrow(
    'disk full',
  );
  await client.query('rollback');
  expect(await names()).toEqual(before);
  await Promise.all([client.end(), db.destroy()]);
});
