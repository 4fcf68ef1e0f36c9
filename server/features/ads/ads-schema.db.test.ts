import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { listMigrationNames, migrateDown, migrateUp } from '../../db/migrate.ts';
import { createPool } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test', clientTimeout: 0 });
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const PLACE = { id: '7', name: 'Lyon', region: null, country: 'FR', lat: 45.75, lng: 4.85, population: 1000 };
const SHA256S = [1, 2].map((byte) => Buffer.alloc(32, byte));
let adId: string;

beforeAll(async () => {
  await insertCategories({ db });
  await db('places').insert(PLACE);
  const { id: user_id } = await insertUser({ db });
  const { id: category_id } = await db('categories').first('id');
  const ad = { user_id, category_id, title: 'Bicycle', description: '', price: '5.00', place_id: PLACE.id };
  [{ id: adId }] = (await db('ads').insert(ad).returning('id')) as [{ id: string }];
  await db('images').insert(SHA256S.map((sha256) => ({ sha256, width: 1, height: 1, color: '#000000' })));
});

const hasPhotos = async () => (await db('ads').where({ id: adId }).first('has_photos')).has_photos;
const toRows = (sha256s: readonly Buffer[]) => sha256s.map((sha256, position) => ({ ad_id: adId, position, sha256 }));

test('an ad whose images are written without its column has photos all the same', async () => {
  expect(await hasPhotos()).toBe(false);
  await db('ad_images').insert(toRows(SHA256S));
  expect(await hasPhotos()).toBe(true);
  expect(await db('listed_ads').where({ id: adId }).first()).toMatchObject({ has_photos: true });
  await db('ad_images').where({ position: 0 }).delete();
  expect(await hasPhotos()).toBe(true);
  await db('ad_images').delete();
  expect(await hasPhotos()).toBe(false);
});

test('replacing the images of an ad writes it neither without nor with photos', async () => {
  await db('ad_images').insert(toRows(SHA256S));
  const { version } = await db('ads').where({ id: adId }).first(db.raw('xmin::text as version'));
  await inTransaction(db, async (trx) => {
    await trx('ad_images').where({ ad_id: adId }).delete();
    await trx('ad_images').insert(toRows(SHA256S.slice(1)));
  });
  expect(await db('ads').where({ id: adId }).first('has_photos', db.raw('xmin::text as version'))).toEqual({
    has_photos: true,
    version,
  });
});

test('listed ads and their places survive the way back to the release before and forward again', async () => {
  const read = async () => [await db('listed_ads'), await db('ad_places')];
  const before = await read();
  expect(before.map((rows) => rows.length)).toEqual([1, 1]);
  const names = await listMigrationNames();
  const options = { url: database.url };
  await migrateDown(options, names.length - 1 - names.findIndex((name) => name.includes('places_of_ads')));
  expect((await db.raw("select to_regclass('ad_places') as found")).rows).toEqual([{ found: null }]);
  await migrateUp(options);
  expect(await read()).toEqual(before);
});
