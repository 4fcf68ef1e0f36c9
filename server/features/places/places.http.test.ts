import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/place-search.ts';
import { getPlace } from '../../../contract/places.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertPlaces, insertUser, PLACES } from '../../../test/harness/factories.ts';
import { listOtherNames } from './other-names.ts';
import { countAdsOfPlaces, findNamedPlaces, listPlaces, putPlaceNames, putPlaces } from './repository.ts';

const { app, anonymous, signIn } = await openTestApp();

const insert = (rows: object[]) => app.db('places').insert(rows);
const place = (id: number, name: string, fields = {}) => ({
  id,
  name,
  region: null,
  country: 'US',
  lat: 0,
  lng: 0,
  population: 1000 + id,
  ...fields,
});
const suggest = (q: string) => anonymous.ok(api.listPlaces, { query: { q } });
const namesOf = async (q: string) => (await suggest(q)).map(({ name }) => name);
const nearest = (lat: unknown, lng: unknown) => anonymous.call(api.findNearestPlace, { body: { lat, lng } as never });

test('without places there is no nearest one', async () => {
  expect(await nearest(1, 1)).toMatchObject({
    status: 404,
    body: { message: 'This marketplace has no places yet. Type a location instead.' },
  });
});

describe('with places', () => {
  beforeAll(async () => {
    await insertPlaces(app);
    await insert([
      place(1, 'Łódź', { country: 'PL' }),
      place(2, "Coeur d'Alene", { region: 'Idaho' }),
      place(3, 'St. Louis', { region: 'Missouri' }),
      ...['Illinois', 'Missouri', 'Oregon'].map((region, i) => place(10 + i, 'Springfield', { region })),
      ...Array.from({ length: 12 }, (_, i) => place(100 + i, `Quarry ${i}`)),
      // far from every other place, on both sides of the 180th meridian and near a pole
      place(201, 'West of the line', { lat: -17, lng: 179.9 }),
      place(202, 'East of the line', { lat: -17, lng: -177 }),
      place(203, 'Far north', { lat: 80, lng: 10 }),
      place(204, 'Farther east', { lat: 78, lng: 20 }),
    ]);
  });

  test.each([
    ['b', ['Berlin']],
    ['BE', ['Berlin']],
    ['ham', ['Hamburg']],
    ['Potsdam', ['Potsdam']],
    ['lodz', ['Łódź']],
    ['ŁÓDŹ', ['Łódź']],
    ['coeur dal', ["Coeur d'Alene"]],
    ['Coeur d’a', ["Coeur d'Alene"]],
    ['st louis', ['St. Louis']],
    ['erlin', []],
    [' . ', []],
    ['%', []],
    ['_erlin', []],
  ])('"%s" finds %j', async (q, expected) => {
    expect(await namesOf(q)).toEqual(expected);
  });

  test.each(['q', 'qu', 'qua', 'quar'])('"%s" finds the eight largest, larger first', async (q) => {
    expect(await namesOf(q)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((i) => `Quarry ${i}`));
  });

  test('region and country narrow places of one name', async () => {
    expect((await suggest('springfield')).map(({ region }) => region)).toEqual(['Oregon', 'Missouri', 'Illinois']);
    expect(await suggest('Springfield, Mis')).toEqual([
      { id: '11', name: 'Springfield', region: 'Missouri', country: 'US', label: 'Springfield, Missouri, US' },
    ]);
    expect(await namesOf('lodz pl')).toEqual(['Łódź']);
  });

  test('first the places of the own last ads, then the home country, then those with most ads, then the largest', async () => {
    await insertCategories(app);
    await insert([
      place(301, 'Vale', { country: 'GB', population: 9_000_000 }),
      place(302, 'Vale of Ads', { country: 'FR' }),
      place(303, 'Vale of Few', { country: 'FR' }),
      place(304, 'Vale at Home', { country: 'NZ' }),
      place(305, 'Vale of Mine', { country: 'FR', population: 1000 }),
      place(306, 'Vale of Mine Lately', { country: 'FR', population: 1000 }),
      ...Array.from({ length: 8 }, (_, i) => place(310 + i, `Vale ${i}`, { country: 'GB' })),
    ]);
    const [me, other] = [await insertUser(app), await insertUser(app)];
    const [mine, others] = [await signIn(me.id), await signIn(other.id)];
    const post = (client: typeof mine, placeId: string) => client.ok(createAd, { body: adBody({ placeId }) });
    for (const id of ['302', '302', '303']) await post(others, id);
    for (const id of ['305', '306']) await post(mine, id);
    await app.db('ads').where({ place_id: '303' }).update({ state: 'expired' });
    await app.db('settings').insert({ key: 'platform', value: JSON.stringify({ homeCountry: 'NZ' }) });
    await countAdsOfPlaces(app.db);
    const list = async (client: typeof mine, q: string) =>
      (await client.ok(api.listPlaces, { query: { q } })).map(({ id }) => id);
    for (const q of ['v', 'va', 'val', 'vale'])
      expect(await list(mine, q), q).toEqual(['306', '305', '304', '302', '301', '317', '316', '315']);
    // used, though its only ad has expired
    expect(await list(others, 'vale')).toEqual(['303', '302', '304', '305', '306', '301', '317', '316']);
    expect(await list(anonymous, 'vale')).toEqual(['304', '302', '305', '306', '301', '317', '316', '315']);
    expect(await list(anonymous, 'vale of f')).toEqual(['303']);
    expect((await suggest('vale of f'))[0]!.label).toBe('Vale of Few, FR');
    const labels = [
      (await suggest('vale at h'))[0]!.label,
      (await mine.ok(api.listUsedPlaces)).map(({ label }) => label),
      (await anonymous.ok(getPlace, { params: { id: '304' } })).label,
    ];
    expect(labels).toEqual(['Vale at Home', ['Vale of Mine Lately, FR', 'Vale of Mine, FR'], 'Vale at Home']);
    await app.db('settings').delete();
  });

  test('the places of the last ads, that of the newest first and each once', async () => {
    const user = await insertUser(app);
    const client = await signIn(user.id);
    expect(await client.ok(api.listUsedPlaces)).toEqual([]);
    for (const placeId of ['1', '2', '1', null]) await client.ok(createAd, { body: adBody({ placeId }) });
    expect((await client.ok(api.listUsedPlaces)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('a text that is too long or missing is refused with the name of the field', async () => {
    for (const query of [{ q: 'x'.repeat(101) }, {}])
      expect(await anonymous.call(api.listPlaces, { query: query as never })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { q: expect.any(String) } },
      });
  });

  test('a place is read by its id', async () => {
    const { lat: _lat, lng: _lng, population: _population, ...berlin } = PLACES.berlin;
    expect(await anonymous.ok(getPlace, { params: { id: berlin.id } })).toEqual({
      ...berlin,
      label: 'Berlin, DE',
    });
    for (const id of ['999', 'x', '0']) expect((await anonymous.call(getPlace, { params: { id } })).status).toBe(404);
  });

  test('the distances from one place to others, alike for everybody and kept by caches', async () => {
    const { berlin, potsdam, hamburg } = PLACES;
    const ask = (id: string, to: unknown) =>
      anonymous.call(api.listDistances, { params: { id }, query: { to } as never });
    const { body, headers } = await ask(berlin.id, [potsdam.id, hamburg.id, berlin.id, '999'].join());
    expect(body).toEqual({
      [potsdam.id]: expect.closeTo(26, -1),
      [hamburg.id]: expect.closeTo(255, -1),
      [berlin.id]: 0,
    });
    expect(headers.get('cache-control')).toContain('public');
    await app.db('settings').insert({ key: 'platform', value: JSON.stringify({ distanceUnit: 'miles' }) });
    expect((await ask(berlin.id, hamburg.id)).body).toEqual({ [hamburg.id]: expect.closeTo(158, -1) });
    await app.db('settings').delete();
    expect((await ask('999', hamburg.id)).status).toBe(404);
    const many = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1)).join();
    expect((await ask(berlin.id, many(100))).status).toBe(200);
    for (const to of [undefined, '', 'x', '1,', '0', ',1', many(101)])
      expect(await ask(berlin.id, to), String(to)).toMatchObject({
        status: 400,
        body: { fields: { to: expect.any(String) } },
      });
  });

  describe('other names', () => {
    const city = (id: number, name: string, names: string[], fields = {}) => {
      const row = { ...place(id, name), id: String(id), lat: 40, lng: 40, population: 1_000_000, ...fields };
      return { ...row, names: listOtherNames(row, names) };
    };

    beforeAll(() =>
      app.db.transaction(async (trx) => {
        const cities = [
          city(1001, 'Tokyo', ['東京', '東京都', 'トーキョー', 'Tokio'], { country: 'JP' }),
          city(1002, 'Riyadh', ['الرِّيَاض', 'Riad'], { country: 'SA' }),
          city(1003, 'Munich', ['München', 'Muenchen', 'MUC'], { country: 'DE' }),
          city(1004, 'Münchenstein', [], { country: 'CH', population: 9_000_000 }),
          city(1005, 'Higashiosaka', ['東大阪'], { country: 'JP', population: 2_000_000 }),
          city(1006, 'East London', ['東倫敦'], { country: 'ZA', population: 3_000_000 }),
          city(1007, 'Cairo', ['القاهرة'], { country: 'EG' }),
          ...Array.from({ length: 12 }, (_, i) => city(1100 + i, `Elsewhere ${i}`, [`島${i}`, `島 ${i}の`])),
        ];
        await putPlaces(trx, cities);
        await putPlaceNames(trx, cities);
      }),
    );

    test.each([
      ['東京', ['Tokyo']],
      ['東京都', ['Tokyo']],
      ['トーキョー', ['Tokyo']],
      ['ﾄｰｷｮｰ', ['Tokyo']],
      ['الرياض', ['Riyadh']],
      ['رياض', ['Riyadh']],
      ['الـريـاض', ['Riyadh']],
      ['رِياض', ['Riyadh']],
      ['القاهره', ['Cairo']],
      ['قاهرة', ['Cairo']],
      ['Muenchen', ['Munich']],
      // a whole name counts as much as the place's own
      ['munchen', ['Münchenstein', 'Munich']],
      ['München', ['Münchenstein', 'Munich']],
      ['münche', ['Münchenstein', 'Munich']],
      ['Tokio', ['Tokyo']],
      ['MUC', []],
      ['京', []],
      ['_京', []],
      ["東'; drop table places; --", []],
      ['ﷺ'.repeat(100), []],
      ['東'.repeat(100), []],
      ['\u0640', []],
      ['%東_', ['East London', 'Higashiosaka', 'Tokyo']],
    ])('"%s" finds %j', async (q, expected) => {
      expect(await namesOf(q)).toEqual(expected);
    });

    test('each place once: those used lately, those of the home country, those with most ads, the largest', async () => {
      const list = async (text: string, country = '', first: string[] = []) =>
        (await listPlaces(app.db, { text, country, first, limit: LIMITS.places })).map(({ name }) => name);
      expect(await list('東')).toEqual(['East London', 'Higashiosaka', 'Tokyo']);
      expect(await list('島')).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((i) => `Elsewhere ${i}`));
      expect(await list('東', 'JP')).toEqual(['Higashiosaka', 'Tokyo', 'East London']);
      expect(await list('東', 'JP', ['1006', '1001'])).toEqual(['East London', 'Tokyo', 'Higashiosaka']);
      await app.db('places').where({ id: 1001 }).update({ ads: 3 });
      expect(await list('東')).toEqual(['Tokyo', 'East London', 'Higashiosaka']);
      expect(await list('東', 'JP')).toEqual(['Tokyo', 'Higashiosaka', 'East London']);
    });

    test('an import finds a city by another name near its position', async () => {
      const found = await findNamedPlaces(app.db, [
        { name: 'Muenchen', lat: 40, lng: 40 },
        { name: '東京', lat: 40, lng: 40 },
        { name: '東', lat: 40, lng: 40 },
        { name: '東京', lat: 50, lng: 50 },
      ]);
      expect(found).toEqual(['1003', '1001', undefined, undefined]);
    });

    test('the database refuses a name without letters or of hostile length', async () => {
      const row = { place_id: 1001, country: 'JP', ads: 0, population: 1 };
      for (const folded of ['', 'x'.repeat(201)])
        await expect(app.db('place_names').insert({ ...row, folded })).rejects.toMatchObject({ code: '23514' });
      expect(listOtherNames({ ...PLACES.berlin }, ['東'.repeat(201), '・', ' ', ''])).toEqual([]);
    });
  });

  test.each([
    [52.5, 13.4, 'Berlin'],
    [52.42, 13.1, 'Potsdam'],
    [-17, -179.9, 'West of the line'],
    [-17, 179, 'West of the line'],
    [-17, -178, 'East of the line'],
    [90, 0, 'Far north'],
    [79, 16, 'Farther east'],
  ])('nearest to %d, %d is %s', async (lat, lng, name) => {
    const found = await nearest(lat, lng);
    expect([found.status, found.body?.name]).toEqual([200, name]);
    expect(found.headers.get('cache-control')).toBe('no-store');
  });

  test('the nearest place is the one of least distance among all', async () => {
    const read = async (lat: number, lng: number) =>
      app.db('places').orderByRaw('distance_km(?, ?, lat, lng), id', [lat, lng]).first();
    for (let lat = -90; lat <= 90; lat += 20)
      for (let lng = -180; lng <= 180; lng += 40) {
        const [found, expected] = await Promise.all([nearest(lat, lng), read(lat, lng)]);
        expect([lat, lng, found.body?.id]).toEqual([lat, lng, expected.id]);
      }
  });

  test.each([
    [90.01, 0, 'lat'],
    [-91, 0, 'lat'],
    [0, 180.5, 'lng'],
    [0, -181, 'lng'],
    ['52.5', 13, 'lat'],
    [52.5, undefined, 'lng'],
    [52.5, null, 'lng'],
  ])('coordinates %j, %j are refused with the name of the field', async (lat, lng, field) => {
    const { status, body } = await nearest(lat, lng);
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });
});

test('the database measures great-circle distances in kilometres', async () => {
  const { rows } = await app.db.raw(
    'select round(distance_km(52.52437, 13.41053, 48.13743, 11.57549)) as munich, round(distance_km(0, 0, 0, 180)) as half, distance_km(9, 9, 9, 9) as none',
  );
  expect(rows).toEqual([{ munich: 505, half: 20015, none: 0 }]);
});
