import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, listAds, setAdSold, updateAd } from '../../../../contract/ads.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import type { Client } from '../../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../../test/harness/photos.ts';
import { JUST_WROTE } from '../../../../test/harness/sessions.ts';
import { indexPendingAds } from './index-ads.ts';
import { countWords } from './words-repository.ts';

const { app, anonymous, signIn } = await openTestApp();
anonymous.headers.Cookie = JUST_WROTE;
let seller: Client;
const PHOTO = toDataUrl(await makePhoto());

const post = async (title: string, fields = {}): Promise<string> =>
  (await seller.ok(createAd, { body: adBody({ title, description: 'As shown', category: 'other', ...fields }) })).id;

const find = async (search: string, query = {}) => {
  const { body, headers, status } = await anonymous.call(listAds, { query: { search, ...query } });
  expect(status).toBe(200);
  return {
    titles: (body as { title: string }[]).map(({ title }) => title),
    match: headers.get('X-Search-Match'),
    search: headers.get('X-Search-Query'),
    total: headers.get('X-Total-Count'),
    next: new URLSearchParams(/\?(.*)>/.exec(headers.get('Link') ?? '')?.[1]).get('cursor') ?? undefined,
  };
};

beforeAll(async () => {
  await insertCategories(app);
  seller = await signIn((await insertUser(app, SETTLED)).id);
});

describe('best match', () => {
  test('is the order of a search: as typed, by stem, by category or brand, by description, accessories', async () => {
    await post('Something else', { description: 'It has a theremin in the back' });
    await post('Stand for theremin');
    await post('Theremin case');
    await post('Etherwave', { category: 'electronics', details: { brand: 'Theremin' } });
    await post('Two theremins');
    await post('Theremin, old', { imageUrls: [] });
    await post('Theremin with photo', { imageUrls: [PHOTO] });
    await post('Theremin with case and stand', { imageUrls: [] });
    const { titles } = await find('theremin');
    expect(titles).toEqual([
      'Theremin with photo',
      'Theremin with case and stand',
      'Theremin, old',
      'Two theremins',
      'Etherwave',
      'Something else',
      'Theremin case',
      'Stand for theremin',
    ]);
    expect((await find('theremin', { sort: 'newest' })).titles[0]).toBe('Theremin with case and stand');
    expect((await find('theremin case')).titles[0]).toBe('Theremin case');
  });

  test('a word finds those of which it is the stem', async () => {
    await post('Two old lenses');
    expect((await find('lens')).titles).toEqual(['Two old lenses']);
  });

  test('pages visit every ad once, also in the middle of a rank', async () => {
    for (let i = 0; i < 7; i++)
      await post(i % 2 ? `Zither ${i}` : `Harp ${i}`, { description: 'zither', imageUrls: i % 3 ? [PHOTO] : [] });
    const all = (await find('zither')).titles;
    expect(all).toHaveLength(7);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find('zither', { limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.titles);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  });

  test('sold ads are hidden, and follow the others where they are shown', async () => {
    const ids = [await post('Ocarina one'), await post('Ocarina two'), await post('Ocarina three')];
    await seller.ok(setAdSold, { params: { id: ids[2]! }, body: { isSold: true } });
    expect(await find('ocarina')).toMatchObject({ titles: ['Ocarina two', 'Ocarina one'], total: '2' });
    for (const sort of ['', 'newest', 'price_asc', 'price_desc']) {
      const first = await find('ocarina', { showSold: 'true', sort, limit: '24' });
      const rest = first.next ? (await find('ocarina', { showSold: 'true', sort, cursor: first.next })).titles : [];
      expect([...first.titles, ...rest].at(-1)).toBe('Ocarina three');
      expect(first.total).toBe('3');
    }
    expect((await find('ocarina', { showSold: 'true', hideSold: 'true' })).titles).toHaveLength(2);
  });

  test('finds what other orders find: "hibiscus" is no plural of "hibiscu"', async () => {
    await post('Hibiscu mug');
    await post('Flower pot', { description: 'with a hibiscus' });
    await post('Stool', { category: 'furniture' });
    const best = await find('furniture hibiscus');
    expect(best.titles.toSorted()).toEqual((await find('furniture hibiscus', { sort: 'newest' })).titles.toSorted());
    expect(best.titles).toEqual(expect.arrayContaining(['Stool', 'Flower pot']));
    expect(best.total).toBe(String(best.titles.length));
  });

  test('only first pages have a total, and no cursor brings sold ads into a list without', async () => {
    const ids = [await post('Dulcimer one'), await post('Dulcimer two'), await post('Dulcimer three')];
    await seller.ok(setAdSold, { params: { id: ids[2]! }, body: { isSold: true } });
    for (const sort of ['', 'newest', 'price_asc', 'price_desc'])
      for (const limit of ['1', '2']) {
        const totals: (string | null)[] = [];
        let cursor: string | undefined = '';
        let last: string | undefined;
        while (cursor !== undefined) {
          const page = await find('dulcimer', { showSold: 'true', sort, limit, ...(cursor && { cursor }) });
          totals.push(page.total);
          last = cursor;
          cursor = page.next;
        }
        expect(totals).toEqual(['3', ...totals.slice(1).map(() => null)]);
        const { titles } = await find('dulcimer', { sort, limit, cursor: last! });
        expect({ sort, limit, titles }).not.toMatchObject({ titles: expect.arrayContaining(['Dulcimer three']) });
      }
  });
});

describe('words that mean the same', () => {
  test('a search finds synonyms, category names and spellings, those as typed first', async () => {
    await post('Dawes cycle');
    await post('Bicycle, red');
    await post('Fast bike');
    expect((await find('bike')).titles).toEqual(['Fast bike', 'Bicycle, red', 'Dawes cycle']);
    await post('Oak table', { category: 'furniture' });
    await post('Shelf', { category: 'furniture' });
    expect((await find('furniture')).titles).toEqual(expect.arrayContaining(['Oak table', 'Shelf']));
    expect((await find('furniture shelf')).titles).toEqual(['Shelf']);
  });

  test('a product is found by what it is, its accessory behind it, and words such as "used" do not count', async () => {
    await post('Galaxy S22 128 GB');
    await post('Galaxy S22 leather case');
    for (const search of ['smartphone', 'used cell phone', 'second hand smartphones'])
      expect((await find(search)).titles).toEqual(['Galaxy S22 128 GB']);
    expect((await find('galaxy s22')).titles).toEqual(['Galaxy S22 128 GB', 'Galaxy S22 leather case']);
  });

  test('an edit is found by its new words only', async () => {
    const id = await post('Marimba');
    await seller.ok(updateAd, {
      params: { id },
      body: adBody({ title: 'Vibraphone', description: 'As shown', category: 'other' }),
    });
    expect((await find('vibraphone')).titles).toEqual(['Vibraphone']);
    expect((await find('marimba', { exact: 'true' })).titles).toEqual([]);
  });
});

describe('no dead ends', () => {
  test('a misspelt search is put right, unless it is meant', async () => {
    await post('Accordion');
    await countWords(app.jobsDb);
    expect(await find('acordion')).toMatchObject({ titles: ['Accordion'], match: 'all', search: 'accordion' });
    expect(await find('acordion', { exact: 'true' })).toMatchObject({ titles: [], match: 'all', search: null });
    expect(await find('accordion')).toMatchObject({ search: null });
  });

  test('a frequent misspelling is put right although an ad has it, and finds that ad', async () => {
    await post('Refridgerator, works');
    await post('Refrigerator, white');
    const found = { titles: ['Refrigerator, white', 'Refridgerator, works'], search: 'refrigerator' };
    expect(await find('refridgerator')).toMatchObject(found);
    expect(await find('refridgerator', { exact: 'true' })).toMatchObject({
      titles: ['Refridgerator, works'],
      search: null,
    });
    expect((await find('fridge')).titles).toEqual(found.titles);
  });

  test('the pages of a corrected search go on with it', async () => {
    for (let i = 0; i < 5; i++) await post(`Harmonium ${i}`);
    await countWords(app.jobsDb);
    const first = await find('harmonuim', { limit: '3' });
    const second = await find('harmonuim', { limit: '3', cursor: first.next });
    expect([first.search, second.search]).toEqual(['harmonium', 'harmonium']);
    expect(new Set([...first.titles, ...second.titles]).size).toBe(5);
  });

  test('when no ad has all words, those with most of them follow', async () => {
    await post('Purple tuba shiny');
    await post('Tuba mouthpiece purple');
    await post('Purple hat');
    expect(await find('purple tuba quixotic')).toMatchObject({
      titles: ['Tuba mouthpiece purple', 'Purple tuba shiny'],
      match: 'some',
    });
    expect(await find('zzqx wwvk')).toMatchObject({ titles: [], match: 'all' });
  });
});

test('a thing of several words stands before what only shares one, a plural finds the singular first', async () => {
  for (const title of ['Tumble dryer Beko', 'Clothes dryer vented', 'Blow dryer ionic']) await post(title);
  expect((await find('tumble drier')).titles.slice(0, 3)).toEqual([
    'Clothes dryer vented',
    'Tumble dryer Beko',
    'Blow dryer ionic',
  ]);
  for (const title of ['Velvet couch', 'Garden sofa']) await post(title);
  expect((await find('couches')).titles.slice(0, 2)).toEqual(['Velvet couch', 'Garden sofa']);
});

test('the job reads ads that another release wrote, and those of before', async () => {
  const id = await post('Balalaika');
  await app.db('ads').where({ id }).update({ title: 'Washer/Dryer combo' });
  // until then it is found by the words that PostgreSQL makes
  expect(await app.db('ad_terms').where({ ad_id: id }).first('rules', 'terms')).toEqual({ rules: '', terms: null });
  expect((await find('combo')).titles).toEqual(['Washer/Dryer combo']);
  expect((await find('balalaika', { exact: 'true' })).titles).toEqual([]);
  await indexPendingAds({ ...app, db: app.jobsDb }, new AbortController().signal);
  expect((await find('washer')).titles).toContain('Washer/Dryer combo');
  expect((await find('dryer')).titles).toContain('Washer/Dryer combo');
  expect(await app.db('ad_terms').where({ rules: '' })).toEqual([]);
});

test('any text is a search', async () => {
  for (const search of [
    "'",
    '\\',
    "':* & !",
    '( | )',
    '=a ~b ^c @d #c1',
    '\u200F\u202E',
    '🚲🚲',
    'ﷺ'.repeat(30),
    'a'.repeat(100),
    '車'.repeat(100),
  ])
    expect((await anonymous.call(listAds, { query: { search } })).status).toBe(200);
});

test('singular and plural find one another where the ending changes more than a letter', async () => {
  for (const title of ['Steak knife with a horn grip', 'Pair of scarves']) await post(title);
  expect((await find('steak knives')).titles).toEqual(['Steak knife with a horn grip']);
  expect((await find('scarf')).titles).toEqual(['Pair of scarves']);
});
