import { beforeAll, expect, test } from 'vitest';
import { createAd, listAds } from '../../../../contract/ads.ts';
import { suggestSearches } from '../../../../contract/search.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp({ env: { SEARCH_LANGUAGES: 'ja,ar' } });

const find = async (search: string) => (await anonymous.ok(listAds, { query: { search } })).map(({ title }) => title);

beforeAll(async () => {
  await insertCategories(app);
  const seller = await signIn((await insertUser(app, SETTLED)).id);
  const titles = [
    ['原付 トゥデイ', 'クロスバイク ジャイアント', 'バイクカバー 大型'],
    ['窓用エアコン コロナ', 'スマホケース クリア', 'プリンター PIXUS', 'サイクロンクリーナー 赤'],
    ['سيارة للبيع', 'دراجة اطفال', 'فساتين صيفية'],
  ].flat();
  for (const title of titles)
    await seller.ok(createAd, { body: adBody({ title, description: 'Good', category: 'sports' }) });
});

test('another kind of thing and an accessory stand behind the thing', async () => {
  expect((await find('バイク'))[0]).toBe('原付 トゥデイ');
});

test('a search without spaces is found by each of its words, and in kana', async () => {
  expect(await find('スマホカバー')).toEqual(['スマホケース クリア']);
  expect(await find('くーらー')).toEqual(['窓用エアコン コロナ']);
});

test('a compound is found by its parts, and by others that mean the same', async () => {
  expect(await find('サイクロン掃除機')).toEqual(['サイクロンクリーナー 赤']);
});

test('words of a run are suggested as people write them', async () => {
  expect((await anonymous.ok(suggestSearches, { query: { search: 'プリ' } })).searches).toEqual(['プリンター']);
});

test('Arabic plurals, clitics and dialects find one another', async () => {
  expect(await find('السيارات')).toEqual(['سيارة للبيع']);
  expect(await find('فستان')).toEqual(['فساتين صيفية']);
  expect(await find('سيكل')).toEqual(['دراجة اطفال']);
});

test('a title with the word as typed stands before those that say it otherwise, whatever its article and number', async () => {
  const seller = await signIn((await insertUser(app, SETTLED)).id);
  for (const title of ['الدراجة الجبلية', 'سيكل سباق'])
    await seller.ok(createAd, { body: adBody({ title, description: 'Good', category: 'sports' }) });
  for (const search of ['دراجة', 'الدراجة', 'دراجات', 'والدراجات'])
    expect(await find(search)).toEqual(['الدراجة الجبلية', 'دراجة اطفال', 'سيكل سباق']);
});
