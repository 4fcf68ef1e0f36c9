import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, deleteAd, listAds, setAdSold } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import * as api from '../../../../contract/search.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import type { Client } from '../../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../../test/harness/sessions.ts';
import { countWords } from './words-repository.ts';

const { app, anonymous, signIn } = await openTestApp();
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;
let seller: { id: string; client: Client };

const ADS = [
  { title: 'Acoustic guitar', description: 'Spruce top, with a gig bag', category: 'musical-instruments' },
  { title: 'Guitars, two of them', description: 'One of them is electric', category: 'musical-instruments' },
  { title: 'Electric kettle', description: 'Gives water back hot', category: 'appliances' },
  { title: 'Mountain bicycle', description: 'A café racer, hardly used', category: 'sports' },
  { title: 'Bicycle bell', description: 'Electric too', category: 'sports' },
];

const post = (fields = {}) => seller.client.ok(createAd, { body: adBody(fields) });
const suggest = (search: string) => anonymous.ok(api.suggestSearches, { query: { search } });
const searches = async (search: string) => (await suggest(search)).searches;
const correct = async (search: string, query = {}) =>
  (await anonymous.ok(api.correctSearch, { query: { search, ...query } })).correction;

beforeAll(async () => {
  await insertCategories(app);
  const { id } = await insertUser(app, SETTLED);
  seller = { id, client: await signIn(id) };
  for (const ad of ADS) await post(ad);
  await countWords(app.jobsDb);
});

describe('suggestions', () => {
  test('go on with the last word, those of titles first, one of each stem', async () => {
    expect(await searches('gui')).toEqual(['guitar']);
    expect(await searches('b')).toEqual(['bicycle', 'bell', 'back', 'bag']);
    expect((await suggest('e')).searches[0]).toBe('electric');
  });

  test('keep the words before it, and find something together with them', async () => {
    expect(await searches('Electric g')).toEqual(['Electric guitars', 'Electric gives']);
    for (const search of await searches('electric b'))
      expect(await anonymous.ok(listAds, { query: { search } })).not.toEqual([]);
  });

  test('know that a word of no account may be the beginning of another', async () => {
    const { id } = await post({ title: 'Theodolite on a tripod', description: 'Measures angles' });
    expect(await searches('the')).toEqual(['theodolite']);
    expect(await searches('t')).toEqual(expect.arrayContaining(['theodolite', 'tripod']));
    await seller.client.ok(deleteAd, { params: { id } });
  });

  test('do not repeat what is typed in full', async () => {
    expect(await searches('bicycle')).toEqual([]);
    expect(await searches('guitars')).toEqual([]);
    expect(await searches('electric e')).toEqual([]);
  });

  test('are blind to accents and case', async () => {
    expect(await searches('CAF')).toEqual(['café']);
    expect(await searches('Ràc')).toEqual(['racer']);
  });

  test('and corrections are written as in the ads', async () => {
    const { id } = await post({ title: 'Küchenzither', description: 'دراجة' });
    for (const typed of ['küche', 'kueche', 'KUCHE']) expect(await searches(typed)).toEqual(['küchenzither']);
    expect(await searches('درا')).toEqual(['دراجة']);
    expect(await correct('kuchenzihter')).toBe('küchenzither');
    await seller.client.ok(deleteAd, { params: { id } });
  });

  test('are a corrected search where nothing begins like this', async () => {
    expect(await searches('bycicle')).toEqual(['bicycle']);
    expect(await searches('acoustic guittar')).toEqual(['acoustic guitar']);
  });

  test('are words as the index has them: parts of compounds and of addresses', async () => {
    const description = 'A sky-quince, quoll_quokka, "Quetzal", (QUAIL); see www.quagga.example or quelea@quiz.example';
    const { id } = await post({ title: 'Quartz-quilt', description });
    const found = await Promise.all(['quar', 'quil', 'quin', 'quok', 'quet', 'quai', 'quag', 'quel'].map(searches));
    expect(found).toEqual([
      ['quartz'],
      ['quilt'],
      ['quince'],
      ['quokka'],
      ['quetzal'],
      ['quail'],
      ['quagga'],
      ['quelea'],
    ]);
    await seller.client.ok(deleteAd, { params: { id } });
  });

  test('name categories that have a word like this', async () => {
    expect((await suggest('furn')).categories).toEqual([
      { slug: 'furniture', name: 'Furniture', emoji: '🛋️', icon: 'sofa' },
    ]);
    expect((await suggest('garden')).categories.map(({ slug }) => slug)).toEqual(['home-garden']);
    expect((await suggest('arden')).categories).toEqual([]);
    await app.db('categories').where({ slug: 'pets' }).update({ is_disabled: true });
    expect((await suggest('pet')).categories).toEqual([]);
  });

  test('say in which categories the words are, with most ads first', async () => {
    const { inCategories } = await suggest('electric');
    expect(inCategories.toSorted((a, b) => (a.categorySlug < b.categorySlug ? -1 : 1))).toEqual([
      { search: 'electric', category: 'Appliances', categorySlug: 'appliances', count: 1 },
      { search: 'electric', category: 'Musical Instruments', categorySlug: 'musical-instruments', count: 1 },
      { search: 'electric', category: 'Sports & Recreation', categorySlug: 'sports', count: 1 },
    ]);
    expect((await suggest('gui')).inCategories).toEqual([
      { search: 'guitar', category: 'Musical Instruments', categorySlug: 'musical-instruments', count: 2 },
    ]);
    expect((await suggest('!')).inCategories).toEqual([]);
  });

  test('are at most a handful', async () => {
    const words = Array.from({ length: 26 }, (_, i) => `quirk${String.fromCharCode(97 + i)}`);
    const { id } = await post({ description: words.join(' ') });
    expect(await searches('quirk')).toHaveLength(LIMITS.suggestions);
    await seller.client.ok(deleteAd, { params: { id } });
  });

  test.each([' ', '%', '_', "'", '\\', 'a%', 'gui_', 'b:*', '& |', '👍', 'x'.repeat(200), '(', '⑴'])(
    'of %j are none, and no failure',
    async (search) => expect((await suggest(search)).searches).toEqual([]),
  );
});

describe('words of an ad that is not public', () => {
  const SECRET = 'xylophonist';
  const isSuggested = async () => (await searches('xylo')).length > 0 || (await correct('xilophonist')) !== null;

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['waits for approval', (id) => app.db('ads').where({ id }).update({ state: 'pending' })],
    ['was taken down', (id) => app.db('ads').where({ id }).update({ state: 'inactive' })],
    ['has expired', (id) => app.db('ads').where({ id }).update({ state: 'expired' })],
    ['was deleted', (id) => seller.client.ok(deleteAd, { params: { id } })],
    ['is of a banned seller', (id) => app.db('ads').where({ id }).update({ seller_banned: true })],
  ])('which %s are never suggested', async (_, hide) => {
    const { id } = await post({ title: SECRET, description: `A ${SECRET}` });
    await countWords(app.jobsDb);
    expect(await isSuggested()).toBe(true);
    await hide(id);
    await seller.client.ok(setAdSold, { params: { id: (await post()).id }, body: { isSold: true } });
    expect(await searches('xylo')).toEqual([]);
    expect(await correct('xilophonist')).toBeNull();
    // the list of words still has it
    expect(await app.db('search_words').where({ word: SECRET })).toHaveLength(1);
  });

  test('are not given away by another form of them that is public', async () => {
    const { id } = await post({ title: 'Zitherings', description: 'Hidden' });
    await app.db('ads').where({ id }).update({ state: 'inactive' });
    await post({ title: 'Zithering', description: 'Shown' });
    expect(await searches('zither')).toEqual(['zithering']);
    expect(await correct('zithreings')).not.toBe('zitherings');
  });
});

describe('did you mean', () => {
  test('corrects the words that need it and leaves the others as they were typed', async () => {
    expect(await correct('guittar')).toBe('guitar');
    expect(await correct('gittares')).toBe('guitar');
    expect(await correct('Acoustic giutar')).toBe('Acoustic guitar');
    expect(await correct('moutnain bycicle')).toBe('mountain bicycle');
  });

  test('offers nothing for what is right, or too far away, or finds nothing', async () => {
    expect(await correct('guitar')).toBeNull();
    expect(await correct('zebra')).toBeNull();
    expect(await correct('kettle guittar')).toBeNull();
    expect(await correct("'; drop table ads; --")).toBeNull();
  });

  test('keeps to the category one is in', async () => {
    expect(await correct('guittar', { category: 'Musical Instruments' })).toBe('guitar');
    expect(await correct('guittar', { category: 'sports' })).toBeNull();
  });
});
