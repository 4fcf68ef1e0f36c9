import { expect, test } from 'vitest';
import { createAd, listAds } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import * as api from '../../../../contract/synonyms.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../../test/harness/factories.ts';
import { operator } from '../../../policy.ts';
import { mergeSynonyms } from './merge-synonyms.ts';
import { addSynonyms, removeSynonymsOf, tidySynonym } from './synonyms-service.ts';

const { app, createPerson } = await openTestApp();
const staff = operator('test');
const own = (words: string[], { language = null as string | null, is_one_way = false } = {}) => ({
  words,
  language,
  is_one_way,
});
const merge = (languages: string[], ...rows: ReturnType<typeof own>[]) => mergeSynonyms(languages, rows, tidySynonym);

test("an operator's group replaces ours for its words", () => {
  const synonyms = merge(['en'], own(['bike', 'push bike']));
  expect(synonyms.find('bike')).toEqual(['push bike']);
  expect(synonyms.find('bicycle')).toContain('cycle');
  expect(synonyms.find('bicycle')).not.toContain('bike');
  expect(merge(['en']).find('bicycle')).toEqual(expect.arrayContaining(['bike', 'cycle', 'mtb']));
});

test('a word alone finds only itself', () => {
  const synonyms = merge(['en'], own(['bike']));
  expect(synonyms.find('bike')).toEqual([]);
  expect(synonyms.find('bicycle')).toContain('cycle');
  expect(synonyms.find('bicycle')).not.toContain('bike');
});

test('a group of one language replaces the groups of that language, where it is searched', () => {
  const german = own(['sofa', 'kanapee'], { language: 'de' });
  expect(merge(['en', 'de'], german).find('sofa')).toEqual(expect.arrayContaining(['settee', 'kanapee']));
  expect(merge(['de'], german).find('sofa')).toEqual(['kanapee']);
  expect(merge(['en'], german).find('sofa')).not.toContain('kanapee');
});

test('a search finds what a new group says, with no ad indexed again', async () => {
  const { client } = await createPerson();
  await insertCategories(app);
  const ad = await client.ok(createAd, { body: adBody({ title: 'Gramophone' }) });
  await addSynonyms(app, staff, { words: ['Talking  Machine', 'gramophone'], isOneWay: true });
  const find = async () => (await client.ok(listAds, { query: { search: 'talking machine' } })).map(({ id }) => id);
  await expect.poll(find).toEqual([ad.id]);
  const [removed] = await removeSynonymsOf(app, staff, 'GRAMOPHONE');
  expect(removed).toMatchObject({ words: ['talking machine', 'gramophone'] });
  await expect.poll(find).toEqual([]);
});

test('administrators list, add and remove groups', async () => {
  const { client } = await createPerson({ role: 'admin' });
  const body = { words: ['Gadget', 'gizmo', 'gadget'], language: 'en' };
  const added = await client.call(api.addSynonyms, { body });
  expect(added).toMatchObject({ status: 201, body: { words: ['gadget', 'gizmo'], language: 'en', isOneWay: false } });
  expect(await client.call(api.addSynonyms, { body })).toMatchObject({ status: 200, body: added.body });
  expect(await client.ok(api.listSynonyms)).toEqual([added.body]);
  const { id } = added.body as api.SynonymGroup;
  await client.ok(api.removeSynonyms, { params: { id } });
  expect((await client.call(api.removeSynonyms, { params: { id } })).status).toBe(404);
  expect(await client.ok(api.listSynonyms)).toEqual([]);
  const actions = await app.db('audit_log').where({ target_id: id }).orderBy('id').pluck('action');
  expect(actions).toEqual(['search.synonyms.add', 'search.synonyms.remove']);
});

test.each([
  { words: [] },
  { words: ['x', ' '] },
  { words: ['x', 'y'.repeat(LIMITS.synonym + 1)] },
  { words: ['x', 'ﷺ'.repeat(LIMITS.synonym)] },
  { words: Array.from({ length: LIMITS.synonymWords + 1 }, (_, i) => `w${i}`) },
  { words: ['x', 'y'], language: 'xx' },
])('refuses %j', async (body) => {
  const { client } = await createPerson({ role: 'admin' });
  expect((await client.call(api.addSynonyms, { body })).status).toBe(400);
  expect(await client.ok(api.listSynonyms)).toEqual([]);
});

test('the number of groups is limited', async () => {
  const rows = Array.from({ length: LIMITS.synonymGroups }, (_, i) => ({ words: [`many ${i}`, 'many'] }));
  await app.db.batchInsert('search_synonyms', rows);
  await expect(addSynonyms(app, staff, { words: ['one', 'more'] })).rejects.toMatchObject({ code: 'conflict' });
  expect(await removeSynonymsOf(app, staff, 'many')).toHaveLength(LIMITS.synonymGroups);
});

test.each([
  [['bike', 'Bike'], 'Name each word once'],
  [['!!!', '???'], 'A word needs a letter or a digit'],
])('%j is no group', async (words, message) => {
  const refused = await addSynonyms(app, staff, { words }).catch((error) => error);
  expect(refused.fields).toEqual({ words: message });
});
