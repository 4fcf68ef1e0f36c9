import { beforeAll, beforeEach, expect, test } from 'vitest';
import * as api from '../../../contract/admin-categories.ts';
import { createAd, getAd, updateAd } from '../../../contract/ads.ts';
import { createSavedSearch, listSavedSearches } from '../../../contract/saved-searches.ts';
import { getCategory, listCategories } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const database = await createTestDatabase();
/** Two replicas. */
const [one, two] = [
  await openTestApp({ database }),
  await openTestApp({ database: { ...database, drop: async () => {} } }),
];
const { db } = one.app;
let admin: Awaited<ReturnType<typeof one.signIn>>;
let seller: Awaited<ReturnType<typeof one.createPerson>>['client'];
beforeAll(async () => {
  const { id } = await insertUser(one.app, { role: 'admin', username: 'ann' });
  admin = await one.signIn(id);
  seller = (await one.createPerson()).client;
});
beforeEach(async () => {
  await db('saved_searches').delete();
  await db('ads').delete();
  await db('categories').delete();
  await insertCategories(one.app);
  await db('audit_log').delete();
});

const of = (slug: string) => ({ params: { slug } });
const listSlugs = async () => (await admin.ok(api.listAllCategories)).map(({ slug }) => slug);
const listAtTwo = () => two.anonymous.ok(listCategories);
const change = (slug: string, body: object) => admin.call(api.changeCategory, { ...of(slug), body });

test('lists all in their order with their ads, those that are switched off too', async () => {
  await seller.ok(createAd, { body: adBody({ category: 'books' }) });
  await admin.ok(api.changeCategory, { ...of('books'), body: { isDisabled: true } });
  const all = await admin.ok(api.listAllCategories);
  expect(all).toHaveLength(25);
  expect(all[5]).toMatchObject({ slug: 'books', name: 'Books & Media', icon: 'library', isDisabled: true });
});

test('a new one is in the menus of another replica, its slug made from its name', async () => {
  const added = await admin.ok(api.createCategory, { body: { name: 'Garden Gnömes', slug: '', icon: 'sprout' } });
  expect(added).toMatchObject({ slug: 'garden-gnomes', name: 'Garden Gnömes', icon: 'sprout', isDisabled: false });
  await expect.poll(async () => (await listAtTwo()).at(-1)?.slug).toBe('garden-gnomes');
  expect(await db('audit_log').select('action', 'target_id', 'request_id')).toEqual([
    { action: 'category.add', target_id: 'garden-gnomes', request_id: expect.any(String) },
  ]);
});

test.each([
  ['a taken slug', { name: 'Gnomes', slug: 'books', icon: 'sprout' }, 409],
  ['a taken name, in other letters', { name: 'books & MEDIA', slug: '', icon: 'sprout' }, 409],
  ['a name that is a slug', { name: 'books', slug: 'gnomes', icon: 'sprout' }, 409],
  ['a reserved slug', { name: 'Statistics', slug: 'stats', icon: 'sprout' }, 400],
  ['a slug with capitals', { name: 'Gnomes', slug: 'Gnomes', icon: 'sprout' }, 400],
  ['a slug with a path', { name: 'Gnomes', slug: '../admin', icon: 'sprout' }, 400],
  ['a name from which no slug can be made', { name: '料理', slug: '', icon: 'sprout' }, 400],
  ['a blank name', { name: ' \u200b', slug: 'gnomes', icon: 'sprout' }, 400],
  ['a name too long by one', { name: 'x'.repeat(51), slug: 'gnomes', icon: 'sprout' }, 400],
  ['an icon that is not drawn', { name: 'Gnomes', slug: 'gnomes', icon: '<svg>' }, 400],
])('%s is refused, and nothing changes', async (_name, body, status) => {
  const before = await db('categories').orderBy('id');
  expect((await admin.call(api.createCategory, { body: body as never })).status).toBe(status);
  const { icon: _, ...names } = body;
  if (status === 409 || body.slug === 'stats') expect((await change('art', names)).status).toBe(status);
  expect(await db('categories').orderBy('id')).toEqual(before);
  expect(await db('audit_log')).toEqual([]);
});

test('another name, slug and icon; the former ones lead on', async () => {
  await admin.ok(api.changeCategory, { ...of('books'), body: { name: 'Print', slug: 'print', icon: 'tag' } });
  await expect.poll(async () => (await listAtTwo())[5]).toMatchObject({ slug: 'print', name: 'Print', icon: 'tag' });
  expect((await two.anonymous.ok(getCategory, of('books'))).slug).toBe('print');
  const { status, headers } = await two.anonymous.send('/categories?category=books');
  expect([status, headers.get('location')]).toEqual([301, '/categories?category=print']);
});

test('of two who edit the same category, the later one is told', async () => {
  const { version } = (await admin.ok(api.listAllCategories))[5]!;
  expect((await change('books', { name: 'One', version })).status).toBe(200);
  expect(await change('books', { name: 'Two', version })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await admin.ok(api.listAllCategories))[5]!.name).toBe('One');
});

test('the order changes by one place, to the end and to the front, and two moves at once both count', async () => {
  const before = await listSlugs();
  const move = (slug: string, next: string | null) =>
    admin.ok(api.moveCategory, { ...of(slug), body: { before: next } });
  await move(before[1]!, before[0]!);
  expect((await listSlugs()).slice(0, 3)).toEqual([before[1], before[0], before[2]]);
  await move(before[1]!, null);
  expect((await listSlugs()).at(-1)).toBe(before[1]);
  await Promise.all([move(before[10]!, before[0]!), move(before[12]!, null)]);
  const after = await listSlugs();
  expect([after[0], after.at(-1)]).toEqual([before[10], before[12]]);
  expect(after.toSorted()).toEqual(before.toSorted());
  await expect.poll(async () => (await listAtTwo())[0]?.slug).toBe(before[10]);
  const positions = await db('categories').orderBy('position').pluck('position');
  expect(positions).toEqual(positions.map((_, index) => index));
});

test('a move to where it is already changes nothing and is not recorded', async () => {
  const [first, second] = await listSlugs();
  for (const next of [first!, second!]) await admin.ok(api.moveCategory, { ...of(first!), body: { before: next } });
  expect(await db('audit_log')).toEqual([]);
  const missing = await admin.call(api.moveCategory, { ...of(first!), body: { before: 'nowhere' } });
  expect(missing.status).toBe(404);
});

test('ads of a category that is switched off stay and can be edited, others do not enter it', async () => {
  const ad = await seller.ok(createAd, { body: adBody({ category: 'books' }) });
  await admin.ok(api.changeCategory, { ...of('books'), body: { isDisabled: true } });
  await expect.poll(async () => (await listAtTwo()).some(({ slug }) => slug === 'books')).toBe(false);
  const params = { id: ad.id };
  expect((await two.anonymous.ok(getAd, { params })).category).toBe('Books & Media');
  const edited = { ...adBody({ category: 'books', title: 'Another title' }), version: ad.version };
  expect((await seller.ok(updateAd, { params, body: edited as never })).title).toBe('Another title');
  expect((await seller.call(createAd, { body: adBody({ category: 'books' }) })).status).toBe(400);
  await admin.ok(api.changeCategory, { ...of('books'), body: { isDisabled: false } });
  await expect.poll(async () => (await listAtTwo())[5]?.slug).toBe('books');
});

test('a merge moves ads and saved searches; the slug leads to the target', async () => {
  const ad = await seller.ok(createAd, { body: adBody({ category: 'books' }) });
  await seller.ok(createSavedSearch, {
    body: { name: 'Books', filters: { category: 'books' }, frequency: 'daily' } as never,
  });
  expect(await admin.ok(api.mergeCategory, { ...of('books'), body: { into: 'art' } })).toEqual({ ads: 1 });
  await expect.poll(async () => (await two.anonymous.ok(getAd, { params: { id: ad.id } })).categorySlug).toBe('art');
  expect(JSON.stringify(await seller.ok(listSavedSearches))).toContain('art');
  const { status, headers } = await two.anonymous.send('/?category=books');
  expect([status, headers.get('location')]).toEqual([301, '/?category=art']);
  expect(await db('audit_log').where({ action: 'category.merge' }).first('target_id', 'details')).toEqual({
    target_id: 'books',
    details: { into: 'art', ads: 1 },
  });
});

test('a merge of more ads than a request may move is left to the terminal', async () => {
  const { id: user_id } = await insertUser(one.app);
  const { id: category_id } = await db('categories').where({ slug: 'books' }).first('id');
  const row = { user_id, category_id, title: 'T', description: 'D', price: 1 };
  await db.batchInsert('ads', Array.from({ length: api.CATEGORY_LIMITS.merged + 1 }, () => row) as never);
  const merge = { ...of('books'), body: { into: 'art' } };
  const refused = await admin.call(api.mergeCategory, merge);
  expect(refused).toMatchObject({
    status: 409,
    body: { message: '"Books & Media" has more than 2,000 ads. Merge it with marketctl category merge.' },
  });
  await db('ads').where('id', db('ads').where({ category_id }).max('id')).delete();
  expect((await admin.ok(api.mergeCategory, merge)).ads).toBe(api.CATEGORY_LIMITS.merged);
});
