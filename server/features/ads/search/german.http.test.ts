import { beforeAll, expect, test } from 'vitest';
import { createAd, listAds } from '../../../../contract/ads.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp({ env: { SEARCH_LANGUAGES: 'en,de' } });

const find = async (search: string) =>
  (await anonymous.ok(listAds, { query: { search } })).map(({ title }) => title).toSorted();

beforeAll(async () => {
  await insertCategories(app);
  const seller = await signIn((await insertUser(app, SETTLED)).id);
  const titles = [
    'Fahrradhelm Uvex',
    'Skihelm Alpina',
    'Helm von Casco',
    'Helmut Kohl, Erinnerungen',
    'Küchenstühle aus Eiche',
    'Damenfahrrad mit Korb',
    'Sommerkleid, praktisch',
    'Kleiner Tisch',
  ];
  for (const title of titles)
    await seller.ok(createAd, { body: adBody({ title, description: 'Wie neu', category: 'sports' }) });
});

test('what the seller chose in a list is found by its words in each language', async () => {
  const seller = await signIn((await insertUser(app, SETTLED)).id);
  const cars = { Golf: { gearbox: 'automatic', fuel: 'petrol' }, Polo: { gearbox: 'manual', fuel: 'other' } };
  for (const [title, details] of Object.entries(cars))
    await seller.ok(createAd, { body: adBody({ title, description: 'Wie neu', category: 'vehicles', details }) });
  expect(await find('automatik')).toEqual(['Golf']);
  expect(await find('golf benziner automatik')).toEqual(['Golf']);
  expect(await find('benzin')).toEqual(['Golf']);
  expect(await find('automatic')).toEqual(['Golf']);
  expect(await find('schaltgetriebe')).toEqual(['Polo']);
});

test('the last part of a compound finds it', async () => {
  expect(await find('helm')).toEqual(['Fahrradhelm Uvex', 'Helm von Casco', 'Skihelm Alpina']);
  expect(await find('fahrradhelm')).toEqual(['Fahrradhelm Uvex']);
});

test('a word finds compounds with its other forms, and none that only end alike', async () => {
  expect(await find('stuhl')).toEqual(['Küchenstühle aus Eiche']);
  expect(await find('kleider')).toEqual(['Sommerkleid, praktisch']);
  expect(await find('tisch')).toEqual(['Kleiner Tisch']);
});

test('a compound finds others whose last part means the same, with ae for ä, too', async () => {
  expect(await find('damenvelo')).toEqual(['Damenfahrrad mit Korb']);
  expect(await find('fahrradhelme')).toEqual(['Fahrradhelm Uvex']);
});
