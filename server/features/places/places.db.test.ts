import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { fingerprint } from '../../../test/harness/cli.ts';
import { insertCategories, insertUser, PLACES } from '../../../test/harness/factories.ts';
import { createPool, JOBS_POOL } from '../../db/pools.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import type { UserActor } from '../../policy.ts';
import { requestPlaces, seedPlaces } from './service.ts';

const { app } = await openTestApp();
/** Places are loaded by a job or by `marketctl`, never by a request, whose statements may take seconds only. */
const jobs = { db: createPool({ url: app.config.databaseUrl, name: 'test', ...JOBS_POOL }) };
beforeAll(() => insertCategories(app));
afterAll(() => jobs.db.destroy());

const count = async (where = {}) => Number((await app.db('places').where(where).count())[0]!.count);

const insertAd = async (placeId: string) => {
  const [user, category] = [await insertUser(app), await app.db('categories').first('id')];
  const ad = { user_id: user.id, category_id: category.id, title: 'Bell', description: 'Rings.', price: 1 };
  await app.db('ads').insert({ ...ad, place_id: placeId });
};

test('only administrators seed places', async () => {
  const { id } = await insertUser(app);
  const actor: UserActor = { kind: 'user', id, role: 'user' };
  await expect(seedPlaces(jobs, { countries: ['AD'], actor })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await count()).toBe(0);
});

test('two replicas that start on an empty table load the places once', async () => {
  await Promise.all([requestPlaces(app), requestPlaces(app)]);
  const run = () => runDueJobs(app, jobHandlers);
  const results = (await Promise.all([run(), run()])).flat();
  expect(results.map(({ name, status }) => [name, status])).toEqual([['load-places', 'done']]);
  expect(await count()).toBeGreaterThan(100_000);
  await requestPlaces(app);
  expect(await run()).toEqual([]);
});

test('the places are cities of 1,000 people and more, with their regions', async () => {
  const { folded: _folded, ads: _ads, ...berlin } = await app.db('places').where({ id: PLACES.berlin.id }).first();
  expect(berlin).toEqual(PLACES.berlin);
  expect(await app.db('places').min('population').first()).toEqual({ min: 1000 });
  const regions = await app.db('places').where({ name: 'Springfield', country: 'US' }).pluck('region');
  expect(regions).toEqual(expect.arrayContaining(['Illinois', 'Missouri', 'Massachusetts']));
  // GeoNames has since renumbered some regions
  expect(await count({ region: null })).toBeLessThan(500);
});

test('seeding again corrects what differs and leaves the rest', async () => {
  const all = await count();
  await app.db('places').where({ id: PLACES.munich.id }).update({ name: 'Minga' });
  await app.db('places').where({ id: PLACES.hamburg.id }).delete();
  const counts = { created: 1, updated: 1, unchanged: all - 2, removed: 0, kept: 0 };
  expect(await seedPlaces(jobs)).toEqual(counts);
  expect(await seedPlaces(jobs)).toEqual({ ...counts, created: 0, updated: 0, unchanged: all });
});

const readNames = (id: string) =>
  app.db('place_names').where({ place_id: id }).orderBy('folded').pluck<string[]>('folded');

test('places have names of the scripts of our languages, large cities Latin ones too', async () => {
  expect(await readNames(PLACES.munich.id)).toEqual(
    expect.arrayContaining(['munchen', 'muenchen', 'munique', 'ميونخ', 'ミュンヘン', '慕尼黑']),
  );
  expect(await readNames(PLACES.munich.id)).not.toContain('munich');
  const scripts = await app
    .db('place_names')
    .whereRaw("folded !~ '[a-z]' and population < 100000")
    .count({ names: '*', places: app.db.raw('distinct place_id') })
    .first();
  expect(Number(scripts?.names)).toBeGreaterThan(40_000);
  const latin = app.db('place_names').whereRaw("folded ~ '^[a-z ]+$'").min('population').first();
  expect(await latin).toEqual({ min: 100_000 });
});

test('seeding again corrects the other names, too, and nothing else', async () => {
  const names = await readNames(PLACES.munich.id);
  const before = await fingerprint(app.db, 'place_names');
  await app
    .db('place_names')
    .where({ place_id: PLACES.munich.id, folded: 'munchen' })
    .update({ folded: 'minga minga' });
  await app.db('place_names').where({ place_id: PLACES.hamburg.id }).delete();
  expect(await seedPlaces(jobs)).toMatchObject({ created: 0, updated: 0, removed: 0 });
  expect(await readNames(PLACES.munich.id)).toEqual(names);
  expect(await fingerprint(app.db, 'place_names')).toBe(before);
});

test('names follow the place: its country, ads and size, and its end', async () => {
  const read = () =>
    app.db('place_names').where({ place_id: PLACES.munich.id }).distinct('country', 'ads', 'population');
  await app.db('places').where({ id: PLACES.munich.id }).update({ country: 'AT', ads: 7, population: 5 });
  expect(await read()).toEqual([{ country: 'AT', ads: 7, population: 5 }]);
  await app.db('places').where({ id: PLACES.munich.id }).delete();
  expect(await read()).toEqual([]);
  await seedPlaces(jobs);
  expect(await read()).toEqual([{ country: 'DE', ads: 0, population: PLACES.munich.population }]);
});

test('seeding again moves the listed ads of a place with it', async () => {
  await insertAd(PLACES.hamburg.id);
  const readPosition = () =>
    app
      .db('listed_ads')
      .where({ 'listed_ads.place_id': PLACES.hamburg.id })
      .join('ad_places', 'ad_places.place_id', 'listed_ads.place_id')
      .first('x', 'y', 'z', 'cell', app.db.raw('position::text'));
  const position = await readPosition();
  await app.db('ads').where({ place_id: PLACES.hamburg.id }).delete();
  await app.db('ad_places').where({ place_id: PLACES.hamburg.id }).delete();
  await app.db('places').where({ id: PLACES.hamburg.id }).update({ lat: -10, lng: -20 });
  await insertAd(PLACES.hamburg.id);
  expect(await readPosition()).not.toEqual(position);
  await seedPlaces(jobs);
  expect(await readPosition()).toEqual(position);
  await app.db('ads').where({ place_id: PLACES.hamburg.id }).delete();
});

test('two at once: the second waits for the first and changes nothing', async () => {
  await app.db('ad_places').delete();
  await app.db('places').where({ country: 'DE' }).delete();
  const [one, other] = await Promise.all([seedPlaces(jobs), seedPlaces(jobs)]);
  expect([one.created, other.created].sort((a, b) => a - b)).toEqual([0, await count({ country: 'DE' })]);
});

test('an aborted run leaves what was there', async () => {
  await app.db('places').where({ country: 'AD' }).delete();
  const abort = new AbortController();
  const seeding = seedPlaces(jobs, { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(seeding).rejects.toThrow(/abort/i);
  expect(await count({ country: 'AD' })).toBe(0);
});

test('some countries only: other places are removed, except those that ads refer to', async () => {
  await insertAd(PLACES.potsdam.id);
  await insertAd(PLACES.munich.id);
  await app.db('ads').where({ place_id: PLACES.munich.id }).update({ place_id: null });
  const counts = await seedPlaces(jobs, { countries: ['AD', 'LI'] });
  const wanted = (await count({ country: 'AD' })) + (await count({ country: 'LI' }));
  expect(counts).toMatchObject({ kept: 1, created: await count({ country: 'AD' }) });
  expect(await app.db('places').whereNotIn('country', ['AD', 'LI']).pluck('id')).toEqual([PLACES.potsdam.id]);
  expect(await count()).toBe(wanted + 1);
  const named = app.db('place_names').distinct('country').orderBy('country').pluck('country');
  expect(await named).toEqual(['AD', 'DE', 'LI']);
  await expect(seedPlaces(jobs, { countries: ['AD', 'XX'] })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: { countries: 'No places are known in XX. Use codes such as US or CA.' },
  });
});

test('no ad can refer to a place that is unknown or gone', async () => {
  await expect(insertAd('999')).rejects.toMatchObject({ constraint: 'ads_place_exists' });
  await expect(app.db('places').where({ id: PLACES.potsdam.id }).delete()).rejects.toMatchObject({
    constraint: 'ads_place_exists',
  });
});

test.each([
  ['id', 0],
  ['name', ''],
  ['region', ''],
  ['country', 'de'],
  ['lat', 90.1],
  ['lng', -180.1],
  ['population', -1],
])('the database refuses a place whose %s is %j', async (column, value) => {
  await app.db('places').where({ id: PLACES.berlin.id }).delete();
  const row = { ...PLACES.berlin, [column]: value };
  await expect(app.db('places').insert(row)).rejects.toMatchObject({ code: '23514' });
});
