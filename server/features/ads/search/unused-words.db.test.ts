import { beforeAll, expect, test } from 'vitest';
import { createAd, updateAd } from '../../../../contract/ads.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import { adBody, insertCategories, SETTLED } from '../../../../test/harness/factories.ts';
import { deleteUnusedWords } from './words-repository.ts';

const { app, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

const words = () => app.db('search_words').orderBy('word').pluck('word');

test('words that no listed ad has any more are deleted after a week, rare ones that ads have stay', async () => {
  const { client } = await createPerson(SETTLED);
  const { id } = await client.ok(createAd, {
    body: adBody({ title: 'Theremin', description: 'qzxinvented wzyqinvented' }),
  });
  await client.ok(updateAd, { params: { id }, body: adBody({ title: 'Theremin', description: 'An instrument' }) });
  expect(await deleteUnusedWords(app.db)).toBe(0);
  expect(await words()).toContain('qzxinvented');
  await app.db('search_words').update({ added_at: '2026-01-01' });
  expect(await deleteUnusedWords(app.db)).toBe(2);
  expect(await words()).toEqual(expect.arrayContaining(['theremin', 'instrument']));
  expect(await words()).not.toContain('qzxinvented');
  // what was found is looked at again in a week
  await app.db('ads').where({ id }).update({ state: 'inactive' });
  expect(await deleteUnusedWords(app.db)).toBe(0);
  await app.db('search_words').update({ added_at: '2026-01-01' });
  expect(await deleteUnusedWords(app.db)).toBeGreaterThan(0);
  expect(await words()).not.toContain('theremin');
});
