import { beforeAll, beforeEach, expect, test } from 'vitest';
import * as ads from '../../../contract/ads.ts';
import { createSavedSearch, listSavedSearches } from '../../../contract/saved-searches.ts';
import { getCategory, listCategories } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { operator } from '../../policy.ts';
import { addCategory, mergeCategories, renameCategory, seedCategories, setCategoryDisabled } from './service.ts';

const { app, anonymous, createPerson } = await openTestApp();
const actor = operator('test');
let seller: Awaited<ReturnType<typeof createPerson>>;
beforeAll(async () => {
  await insertCategories(app);
  seller = await createPerson();
});
// others see a change within a second; these tests want it at once
beforeEach(() => {
  anonymous.headers.Cookie = JUST_WROTE;
});

let count = 0;
const add = async () => {
  const slug = `kind-${++count}`;
  await addCategory(app, actor, { slug, name: `Kind ${count}`, emoji: '📦' });
  return { slug, name: `Kind ${count}` };
};
const post = (category: string) => seller.client.call(ads.createAd, { body: adBody({ category }) });
const countAds = async (category: string) => (await anonymous.ok(ads.listAds, { query: { category } })).length;
const visit = async (path: string) => {
  const { status, headers } = await anonymous.send(path);
  return [status, headers.get('location')];
};
const ENTRIES = ['/', '/categories', '/feed.atom'] as const;
const expectLeadsTo = async (word: string, slug: string) => {
  for (const path of ENTRIES)
    expect([path, ...(await visit(`${path}?${new URLSearchParams({ category: word })}`))]).toEqual([
      path,
      301,
      `${path}?category=${slug}`,
    ]);
};

test('former slugs and names lead on over renames, merges and chains of both', async () => {
  const [first, last] = [await add(), await add()];
  expect((await post(first.name)).status).toBe(201);
  await renameCategory(app, actor, first.slug, { name: 'Straßen', slug: 'streets' });
  await renameCategory(app, actor, 'streets', { name: 'Roads' });
  for (const word of [first.slug, first.name.toUpperCase(), 'straßen', 'STREETS', 'roads'])
    expect([word, await countAds(word)]).toEqual([word, 1]);
  await mergeCategories(app, actor, { from: 'streets', into: last.slug });
  await renameCategory(app, actor, last.slug, { name: 'Ways', slug: 'ways' });
  for (const word of [first.slug, first.name, 'Straßen', 'streets', 'Roads', last.slug, last.name, 'Ways', 'WAYS']) {
    expect([word, await countAds(word)]).toEqual([word, 1]);
    await expectLeadsTo(word, 'ways');
  }
  for (const path of ENTRIES) expect(await visit(`${path}?category=ways`)).toEqual([200, null]);
});

test('the other parameters of an address stay', async () => {
  const { slug, name } = await add();
  await renameCategory(app, actor, slug, { slug: 'moved', name: 'Moved & more' });
  expect(await visit(`/?category=${slug}&search=red+car&sort=price_asc`)).toEqual([
    301,
    '/?category=moved&search=red+car&sort=price_asc',
  ]);
  expect(await visit(`/categories?category=${encodeURIComponent(name)}&sort=price_asc`)).toEqual([
    301,
    '/categories?category=moved&sort=price_asc',
  ]);
  expect(await visit(`/feed.atom?search=car&category=${slug}`)).toEqual([301, '/feed.atom?category=moved&search=car']);
  expect(await visit('/?category=MOVED+%26+more&d.year.min=2010&near=5746545&radius=25')).toEqual([
    301,
    '/?category=moved&d.year.min=2010&near=5746545&radius=25',
  ]);
});

test('pages and feeds name the category and link by its slug', async () => {
  const { slug, name } = await add();
  const { body: ad } = await post(slug);
  const addressOf = (path: string) => `${app.config.publicUrl}${path}?category=${slug}`;
  const read = async (path: string) => String((await anonymous.send(path)).body);
  for (const path of ['/', '/categories']) {
    const html = await read(`${path}?category=${slug}`);
    expect(html).toContain(`<link rel="canonical" href="${addressOf('/categories')}"`);
    expect(html).toContain(`href="/feed.atom?category=${slug}"`);
    expect(/<title>.*<\/title>/.exec(html)?.[0]).toContain(name);
  }
  const feed = await read(`/feed.atom?category=${slug}`);
  expect(feed).toContain(`<title>${name} | `);
  expect(feed).toContain(addressOf('/feed.atom'));
  expect(await read('/sitemap-pages.xml')).toContain(addressOf('/categories'));
  expect(await read(`/ads/${ad.id}`)).toContain(`"name":"${name}","item":"${addressOf('/categories')}"`);
});

test('ads and saved searches take former names', async () => {
  const { slug, name } = await add();
  const { body: ad } = await post(slug);
  await renameCategory(app, actor, slug, { slug: 'later', name: 'Later' });
  expect(await post(name)).toMatchObject({ status: 201, body: { categorySlug: 'later' } });
  const edited = await seller.client.call(ads.updateAd, { params: { id: ad.id }, body: adBody({ category: slug }) });
  expect(edited).toMatchObject({ status: 200, body: { category: 'Later' } });
  await seller.client.ok(createSavedSearch, { body: { name: 'Old', frequency: 'never', filters: { category: name } } });
  expect((await seller.client.ok(listSavedSearches))[0]?.filters).toEqual({ category: 'later' });
});

test('a category that takes a former name, or takes its own back, has it', async () => {
  const { slug, name } = await add();
  await renameCategory(app, actor, slug, { slug: 'b', name: 'B' });
  await addCategory(app, actor, { slug, name, emoji: '📦' });
  expect(await visit(`/categories?category=${slug}`)).toEqual([200, null]);
  await renameCategory(app, actor, slug, { slug: 'c', name: 'C' });
  await expectLeadsTo(slug, 'c');
  await renameCategory(app, actor, 'c', { slug, name });
  expect(await visit(`/categories?category=${slug}`)).toEqual([200, null]);
  await expectLeadsTo('C', slug);
});

test('seeds that rename a category, and prune the last one, are no exception', async () => {
  const { slug, name } = await add();
  const all = async () => app.db('categories').orderBy('position').select('slug', 'name', 'emoji');
  await seedCategories(
    app,
    (await all()).map((seed) => (seed.slug === slug ? { ...seed, name: 'Seeded' } : seed)),
  );
  await expectLeadsTo(name, slug);
  await seedCategories(
    app,
    (await all()).filter((seed) => seed.slug !== slug),
    { prune: true },
  );
  // not the name, whose feed is cached
  for (const path of ENTRIES) expect((await visit(`${path}?category=${slug}`))[0]).toBe(404);
});

test('an unknown category is 404 for pages and feeds, and an empty list for the API', async () => {
  for (const word of ['starships', 'a\0b', "'", 'x'.repeat(300)])
    for (const path of ENTRIES) {
      const { status, body } = await anonymous.send(`${path}?${new URLSearchParams({ category: word })}`);
      expect([path, word, status]).toEqual([path, word, 404]);
      expect(String(body)).not.toContain('rel="canonical"');
    }
  expect(await countAds('starships')).toBe(0);
});

test('an ad stays editable in a disabled category, which no other ad enters', async () => {
  const { slug, name } = await add();
  const { body: ad } = await post(slug);
  const { body: other } = await post('books');
  await setCategoryDisabled(app, actor, slug, true);
  const edit = (id: string, category: string) =>
    seller.client.call(ads.updateAd, { params: { id }, body: adBody({ category, price: '7' }) });
  for (const word of [slug, name])
    expect(await edit(ad.id, word)).toMatchObject({ status: 200, body: { category: name } });
  expect(await edit(other.id, slug)).toMatchObject({ status: 400, body: { fields: { category: 'Unknown category' } } });
  expect((await post(slug)).status).toBe(400);
  for (const path of ENTRIES) expect((await visit(`${path}?category=${slug}`))[0]).toBe(200);
  expect(await countAds(slug)).toBe(1);
  expect((await edit(ad.id, 'books')).status).toBe(200);
  expect((await edit(ad.id, slug)).status).toBe(400);
});

test('a disabled category keeps its name wherever it stands, though nobody can choose it', async () => {
  const { slug, name } = await add();
  await setCategoryDisabled(app, actor, slug, true);
  const category = { slug, name, emoji: '📦', icon: 'package' };
  for (const word of [slug, name])
    expect(await anonymous.ok(getCategory, { params: { slug: word } })).toEqual(category);
  expect((await anonymous.call(getCategory, { params: { slug: 'starships' } })).status).toBe(404);
  expect(await anonymous.ok(listCategories)).not.toContainEqual(category);
  const page = String((await anonymous.send(`/?category=${slug}`)).body);
  expect(page).toContain(`"/api/categories/${slug}?language=en":`);
  expect(String((await anonymous.send('/?category=starships')).body)).toContain(
    '"missing":["/api/categories/starships?language=en"]',
  );
});
