import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import type { BodyInput } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/saved-searches.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertPlaces, PLACES } from '../../../test/harness/factories.ts';
import { handlePublications } from '../ads/publications.ts';
import { findCategory, moveAds } from '../categories/repository.ts';
import { matchSearches } from './jobs.ts';

const { app, createPerson } = await openTestApp();

beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

type Input = BodyInput<typeof api.createSavedSearch>;
const BODY: Input = { name: 'Sofas', frequency: 'instantly', filters: { category: 'furniture' } };
const save = ({ client }: Person, input: Partial<Input> = {}) =>
  client.call(api.createSavedSearch, { body: { ...BODY, ...input } });
const list = ({ client }: Person) => client.ok(api.listSavedSearches);

describe('a saved search', () => {
  test('is returned as saved, newest first, with its filters as the query of the list', async () => {
    const ann = await createPerson();
    const filters = { search: ' corner sofa ', category: 'Furniture', minPrice: '', maxPrice: '300' };
    const saved = await save(ann, { name: '  Corner\u202E sofas ', filters });
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      id: expect.any(String),
      name: 'Corner sofas',
      frequency: 'instantly',
      filters: { search: 'corner sofa', category: 'furniture', maxPrice: '300' },
      newCount: 0,
      createdAt: expect.any(String),
    });
    const second = await save(ann, { frequency: 'never' });
    expect(await list(ann)).toEqual([second.body, saved.body]);
    expect(await list(await createPerson())).toEqual([]);
  });

  test.each<[string, Partial<Record<keyof Input, unknown>>, string]>([
    ['no filter', { filters: {} }, 'filters'],
    ['only empty filters', { filters: { search: '  ', category: '', minPrice: '' } }, 'filters'],
    ['only a page', { filters: { cursor: 'x', limit: '5' } }, 'filters'],
    ['only unknown filters', { filters: { colour: 'red' } }, 'filters'],
    ['no word at all', { filters: { search: '… !' } }, 'filters'],
    ['only a place without a radius', { filters: { near: PLACES.berlin.id } }, 'filters'],
    ['an unknown place', { filters: { near: '999999999', radius: '10' } }, 'filters'],
    ['a radius without a place', { filters: { radius: '10' } }, 'radius'],
    ['an unknown detail', { filters: { category: 'vehicles', 'd.wings': '2' } }, 'd.wings'],
    ['an unknown category', { filters: { category: 'starships' } }, 'filters'],
    ['a bad price', { filters: { minPrice: '-1' } }, 'filters'],
    ['a range upside down', { filters: { minPrice: '10', maxPrice: '5' } }, 'minPrice'],
    ['too long a search', { filters: { search: 'x'.repeat(LIMITS.search + 1) } }, 'filters'],
    ['filters of another type', { filters: 'sofa' }, 'filters'],
    ['a filter of another type', { filters: { search: { word: 'sofa' } } }, 'filters'],
    ['no name', { name: ' \u200B ' }, 'name'],
    ['too long a name', { name: 'é'.repeat(LIMITS.searchName + 1) }, 'name'],
    ['an unknown frequency', { frequency: 'hourly' }, 'frequency'],
  ])('is refused with %s', async (_, input, field) => {
    const ann = await createPerson();
    const refused = await ann.client.send('/api/saved-searches', { method: 'POST', body: { ...BODY, ...input } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(Object.keys(refused.body.fields)).toEqual([field]);
    expect(await list(ann)).toEqual([]);
  });

  test('may have a name and words of the greatest length', async () => {
    const ann = await createPerson();
    const words = Array.from({ length: LIMITS.search / 2 }, (_, i) => String.fromCodePoint(0x4e00 + i))
      .join(' ')
      .trim();
    expect((await save(ann, { name: '🛋'.repeat(LIMITS.searchName), filters: { search: words } })).status).toBe(201);
  });

  test('keeps its category when that is renamed or merged into another', async () => {
    const ann = await createPerson();
    const [music, toys] = [
      await save(ann, { filters: { category: 'books' } }),
      await save(ann, { filters: { category: 'toys' } }),
    ];
    expect([music.status, toys.status]).toEqual([201, 201]);
    await app.db('categories').where({ slug: 'toys' }).update({ slug: 'playthings' });
    const [from, into] = [await findCategory(app.db, 'books'), await findCategory(app.db, 'playthings')];
    await app.db.transaction((trx) => moveAds(trx, from!.id, into!.id));
    expect((await list(ann)).map(({ filters }) => filters)).toEqual([
      { category: 'playthings' },
      { category: 'playthings' },
    ]);
  });

  test('has the slug of its category, also if a replica of the previous release stored the name', async () => {
    const ann = await createPerson();
    const { id } = (await save(ann, { filters: { category: 'Sports & Recreation', maxPrice: '9' } })).body;
    await app
      .db('saved_searches')
      .where({ id })
      .update({ filters: { category: 'Sports & Recreation', maxPrice: '9' } });
    expect((await list(ann)).map(({ filters }) => filters)).toEqual([{ category: 'sports', maxPrice: '9' }]);
  });

  test('is renamed, changes its frequency and is deleted by its owner only', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    const { id } = (await save(ann)).body;
    const change = (by: Person, body: object, params = { id }) =>
      by.client.call(api.updateSavedSearch, { params, body });
    expect(await change(ann, { name: 'Chairs' })).toMatchObject({
      status: 200,
      body: { name: 'Chairs', frequency: 'instantly' },
    });
    expect(await change(ann, { frequency: 'daily' })).toMatchObject({
      status: 200,
      body: { name: 'Chairs', frequency: 'daily' },
    });
    expect(await change(ann, { filters: { category: 'books' } })).toMatchObject({
      status: 200,
      body: { filters: BODY.filters },
    });
    for (const body of [{ name: '' }, { frequency: 'often' }]) expect((await change(ann, body)).status).toBe(400);
    for (const status of [
      (await change(ben, { name: 'Mine' })).status,
      (await ben.client.call(api.deleteSavedSearch, { params: { id } })).status,
      (await ben.client.call(api.markSavedSearchSeen, { params: { id } })).status,
      (await change(ann, { name: 'x' }, { id: '999999999' })).status,
    ])
      expect(status).toBe(404);
    expect((await ann.client.call(api.deleteSavedSearch, { params: { id } })).status).toBe(204);
    expect((await ann.client.call(api.deleteSavedSearch, { params: { id } })).status).toBe(404);
    expect(await list(ann)).toEqual([]);
  });

  test('is one of at most twenty, also when all are saved at once', async () => {
    const ann = await createPerson();
    const answers = await Promise.all(
      Array.from({ length: LIMITS.savedSearches + 5 }, async (_, i) => {
        for (;;) {
          const answer = await save(ann, { name: `Search ${i}` });
          // a slow machine has no place for all of them at once
          if (answer.status !== 503) return answer;
        }
      }),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([LIMITS.savedSearches, 5]);
    expect(refused[0]?.body).toMatchObject({ code: 'conflict', message: expect.stringContaining('Delete one') });
    const [first] = await list(ann);
    await ann.client.ok(api.deleteSavedSearch, { params: { id: first!.id } });
    expect((await save(ann)).status).toBe(201);
    expect((await save(ann)).status).toBe(409);
    expect(await list(ann)).toHaveLength(LIMITS.savedSearches);
  });

  test('counts its new ads until it is opened; deleted ads do not count', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    const { id } = (await save(ann, { frequency: 'never', filters: { search: 'zither' } })).body;
    const ads = [];
    for (let i = 0; i < 3; i++) ads.push(await ben.client.ok(createAd, { body: adBody({ title: `Zither ${i}` }) }));
    await handlePublications(app, [matchSearches]);
    expect(await list(ann)).toMatchObject([{ id, newCount: 3 }]);
    await ben.client.ok(deleteAd, { params: { id: ads[0]!.id } });
    expect(await list(ann)).toMatchObject([{ newCount: 2 }]);
    for (let i = 0; i < 2; i++)
      expect((await ann.client.call(api.markSavedSearchSeen, { params: { id } })).status).toBe(204);
    expect(await list(ann)).toMatchObject([{ newCount: 0 }]);
    await ben.client.ok(createAd, { body: adBody({ title: 'Zither 4' }) });
    await handlePublications(app, [matchSearches]);
    expect(await list(ann)).toMatchObject([{ newCount: 1 }]);
  });
});

test('the database refuses what the contract refuses', async () => {
  const { id } = await createPerson();
  const row = { user_id: id, slot: 1, name: 'Sofas', frequency: 'daily', filters: { search: 'x' }, resolved: {} };
  const refused = [
    { slot: 21 },
    { slot: 0 },
    { name: '' },
    { name: 'x'.repeat(LIMITS.searchName + 1) },
    { frequency: 'hourly' },
    { filters: {} },
    { resolved: { query: "'sofa'" } },
  ];
  for (const columns of refused)
    await expect(app.db('saved_searches').insert({ ...row, ...columns })).rejects.toMatchObject({ code: '23514' });
  await app.db('saved_searches').insert(row);
  await expect(app.db('saved_searches').insert(row)).rejects.toMatchObject({ code: '23505' });
});
