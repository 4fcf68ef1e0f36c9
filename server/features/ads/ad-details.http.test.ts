import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, getAd, listAds, updateAd } from '../../../contract/ads.ts';
import { getAttributes } from '../../../contract/attributes.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Answer } from '../../../test/harness/client.ts';
import {
  adBody,
  insertCategories,
  insertPlaces,
  insertUser,
  PLACES,
  SETTLED,
} from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

const createSeller = async () => signIn((await insertUser(app, SETTLED)).id);
const car = (fields: Parameters<typeof adBody>[0] = {}) => adBody({ category: 'vehicles', ...fields });

describe('an ad', () => {
  test('stores place, condition, kind of price and details, and shows them in the order of their definition', async () => {
    const seller = await createSeller();
    const { id } = await seller.ok(createAd, {
      body: car({
        placeId: PLACES.berlin.id,
        condition: 'like_new',
        priceType: 'negotiable',
        details: { fuel: 'diesel', year: '1999', make: ' Škoda ', model: '', mileage: null, gearbox: 'manual' },
      }),
    });
    const ad = await anonymous.ok(getAd, { params: { id } });
    expect(ad).toMatchObject({ placeId: PLACES.berlin.id, condition: 'like_new', priceType: 'negotiable' });
    expect(Object.entries(ad.details)).toEqual([
      ['make', 'Škoda'],
      ['year', 1999],
      ['fuel', 'diesel'],
      ['gearbox', 'manual'],
    ]);
  });

  test('is valid without any of it', async () => {
    const seller = await createSeller();
    const ad = await seller.ok(createAd, { body: adBody() });
    expect(ad).toMatchObject({ placeId: null, condition: null, priceType: 'fixed', details: {} });
  });

  test.each<[Parameters<typeof adBody>[0], string]>([
    [{ placeId: '999999999' }, 'placeId'],
    [{ placeId: 'Berlin' as never }, 'placeId'],
    [{ condition: 'mint' as never }, 'condition'],
    [{ priceType: 'barter' as never }, 'priceType'],
    [{ priceType: 'free', price: '5' }, 'price'],
    [{ details: { wheels: 4 } }, 'details.wheels'],
    [{ details: { __proto__x: 'a' } }, 'details.__proto__x'],
    [{ details: { year: 'old' } }, 'details.year'],
    [{ details: { year: 1999.5 } }, 'details.year'],
    [{ details: { year: 99_999 } }, 'details.year'],
    [{ details: { fuel: 'hope' } }, 'details.fuel'],
    [{ details: { fuel: 'toString' } }, 'details.fuel'],
    [{ details: { make: 'x'.repeat(51) } }, 'details'],
    [{ details: { make: ['a'] as never } }, 'details'],
    [{ details: 'brand' as never }, 'details'],
    [{ details: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, 'a'])) }, 'details'],
  ])('%j is refused, and names the field %s', async (fields, field) => {
    const seller = await createSeller();
    const { status, body } = await seller.call(createAd, { body: car(fields) });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });

  test('drops the details that a new category does not have, and keeps the others', async () => {
    const seller = await createSeller();
    const { id } = await seller.ok(createAd, {
      body: adBody({ category: 'clothing', details: { size: 'M', brand: 'Fjällräven' } }),
    });
    const edit = (fields: Parameters<typeof adBody>[0]) =>
      seller.call(updateAd, { params: { id }, body: adBody(fields) });
    const details = { size: 'M', brand: 'Fjällräven' };
    const moved = await edit({ category: 'tools', details });
    expect(moved.body.details).toEqual({ brand: 'Fjällräven' });
    expect((await edit({ category: 'tools', details })).body.fields).toEqual({
      'details.size': 'This category does not have this detail',
    });
    expect((await edit({ category: 'services', details: {} })).body.details).toEqual({});
  });
});

describe('a list', () => {
  test.each<[Record<string, string>, string]>([
    [{ sort: 'oldest' }, 'sort'],
    [{ sort: 'nearest' }, 'sort'],
    [{ near: 'Berlin' }, 'near'],
    [{ near: '0' }, 'near'],
    [{ near: PLACES.berlin.id, radius: '11' }, 'radius'],
    [{ radius: '10' }, 'radius'],
    [{ condition: 'new,mint' }, 'condition'],
    [{ priceType: 'barter' }, 'priceType'],
    [{ hideSold: 'yes' }, 'hideSold'],
    [{ withPhotos: '1' }, 'withPhotos'],
    [{ 'd.brand': 'Bosch' }, 'd.brand'],
    [{ category: 'vehicles', 'd.wheels': '4' }, 'd.wheels'],
    [{ category: 'vehicles', 'd.make.min': '4' }, 'd.make.min'],
    [{ category: 'vehicles', 'd.year.most': '4' }, 'd.year.most'],
    [{ category: 'vehicles', 'd.year.min': 'old' }, 'd.year.min'],
    [{ category: 'vehicles', 'd.year.min': '2000', 'd.year.max': '1999' }, 'd.year.min'],
    [{ category: 'vehicles', 'd.fuel': 'hope' }, 'd.fuel'],
  ])('refuses %j and names %s', async (query, field) => {
    const { status, body } = await anonymous.call(listAds, { query });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });

  test('a category named like a property of every object has no details', () => {
    expect(getAttributes('constructor')).toEqual([]);
  });

  test('refuses a hundred details', async () => {
    const details = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d.key${i}`, 'a']));
    expect((await anonymous.call(listAds, { query: { category: 'vehicles', ...details } })).status).toBe(400);
  });

  test('an unknown place or category has no ads, whatever the other filters', async () => {
    for (const query of [
      { near: '999999999', radius: '10' },
      { category: 'starships', 'd.warp': '9' },
    ])
      expect((await anonymous.call(listAds, { query })).body).toEqual([]);
  });

  test('empty filters filter nothing', async () => {
    const query = { sort: '', near: '', radius: '', condition: '', hideSold: '', 'd.brand': '' };
    expect((await anonymous.call(listAds, { query })).status).toBe(200);
  });

  test('ads tell their distance from the place of the filter, also next to cached ones', async () => {
    const seller = await createSeller();
    const inBerlin = await seller.ok(createAd, { body: car({ title: 'Quagga one', placeId: PLACES.berlin.id }) });
    const inPotsdam = await seller.ok(createAd, { body: car({ title: 'Quagga two', placeId: PLACES.potsdam.id }) });
    await seller.ok(createAd, { body: car({ title: 'Quagga three' }) });
    const list = async (query: Record<string, string>) =>
      (await anonymous.ok(listAds, { query: { search: 'quagga', ...query } })).map(({ id, distance }) => [
        id,
        distance,
      ]);
    expect((await list({})).map(([, distance]) => distance)).toEqual([undefined, undefined, undefined]);
    const near = { near: PLACES.berlin.id };
    expect((await list(near)).slice(1)).toEqual([
      [inPotsdam.id, expect.closeTo(27, 0)],
      [inBerlin.id, 0],
    ]);
    expect(await list({ ...near, sort: 'nearest' })).toEqual([
      [inBerlin.id, 0],
      [inPotsdam.id, expect.closeTo(27, 0)],
    ]);
    expect(await list({ ...near, radius: '25' })).toEqual([[inBerlin.id, 0]]);
  });

  test('pages of every order visit every ad once', async () => {
    const seller = await createSeller();
    const titles = Array.from({ length: 7 }, (_, i) => `Zorilla ${i}`);
    for (const [i, title] of titles.entries())
      await seller.ok(createAd, {
        body: adBody({
          title,
          price: String(10 + 10 * (i % 3)),
          placeId: i % 2 ? PLACES.berlin.id : PLACES.potsdam.id,
        }),
      });
    for (const sort of ['newest', 'price_asc', 'price_desc', 'nearest']) {
      const seen: string[] = [];
      let path: string | undefined = `/api/ads?search=zorilla&limit=2&sort=${sort}&near=${PLACES.berlin.id}`;
      while (path) {
        const { body, headers }: Answer<{ title: string }[]> = await anonymous.send(path);
        seen.push(...body.map(({ title }) => title));
        path = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect([sort, seen.toSorted()]).toEqual([sort, titles]);
    }
  });

  test.each(['x', '0', '5.00_0', '-1_5', '5.00_99999999999999999999', "1';--", '9e99_5', '1e-400_5', 'NaN_4'])(
    'the cursor %j starts at the first page in every order',
    async (cursor) => {
      for (const sort of ['newest', 'price_asc', 'price_desc', 'nearest'] as const) {
        const query = { sort, near: PLACES.berlin.id };
        const { status, body } = await anonymous.call(listAds, { query: { ...query, cursor } });
        expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([
          200,
          (await anonymous.ok(listAds, { query })).map(({ id }) => id),
        ]);
      }
    },
  );
});
