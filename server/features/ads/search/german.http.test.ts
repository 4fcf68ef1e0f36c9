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
  for (const title of ['Fahrradhelm Uvex', 'Skihelm Alpina', 'Helm von Casco', 'Helmut Kohl, Erinnerungen'])
    await seller.ok(createAd, { body: adBody({ title, description: 'Wie neu', category: 'sports' }) });
});

test('the last part of a compound finds it', async () => {
  expect(await find('helm')).toEqual(['Fahrradhelm Uvex', 'Helm von Casco', 'Skihelm Alpina']);
  expect(await find('fahrradhelm')).toEqual(['Fahrradhelm Uvex']);
});
