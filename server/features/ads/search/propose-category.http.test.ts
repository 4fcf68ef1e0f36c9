import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../../contract/ads.ts';
import { proposeCategory } from '../../../../contract/search.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../../test/harness/factories.ts';
import { countVotes } from './propose-category.ts';

const { app, anonymous, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

test('rare words count more than common ones, and a tie without a majority proposes nothing', () => {
  const one = (categorySlug: string, ads: number) => ({ ads, counted: [{ categorySlug, count: 5 }] });
  expect(countVotes([one('music', 3), one('furniture', 4000)])).toBe('music');
  expect(countVotes([])).toBeNull();
  const spread = ['a', 'b', 'c'].map((categorySlug) => ({ categorySlug, count: 4 }));
  expect(countVotes([{ ads: 12, counted: spread }])).toBeNull();
});

test('the category is that of ads with the words of the title, in any form of them; unknown words propose nothing', async () => {
  const { client } = await createPerson({ role: 'admin' });
  for (const title of ['Mandolin with case', 'Old mandolin', 'Mandolin strings'])
    await client.ok(createAd, { body: adBody({ title, category: 'musical-instruments' }) });
  await client.ok(createAd, { body: adBody({ title: 'Garden table', category: 'furniture' }) });
  const propose = async (title: string) => (await anonymous.ok(proposeCategory, { query: { title } })).categorySlug;
  expect(await propose('Two mandolins, hardly played')).toBe('musical-instruments');
  expect(await propose('Table')).toBe('furniture');
  expect(await propose('Xylograph')).toBeNull();
  const tooLong = await anonymous.call(proposeCategory, { query: { title: 'x'.repeat(201) } });
  expect(tooLong.status).toBe(400);
});
