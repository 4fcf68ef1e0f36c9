import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { getAdminStats } from '../../../contract/admin.ts';
import { changeCategory, createCategory, listAllCategories } from '../../../contract/admin-categories.ts';
import { createAd } from '../../../contract/ads.ts';
import { t } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { suggestSearches } from '../../../contract/search.ts';
import { getCategory, getCategoryStats, listCategories } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { BUILT_IN } from './names.ts';

const LOCALES = 'en,de,ar';
const database = await createTestDatabase();
const site = await openTestApp({ database, env: { LOCALES } });
await insertCategories(site.app);
const { id } = await insertUser(site.app, { role: 'admin', username: 'ann' });
const admin = await site.signIn(id);
const seller = await site.createPerson();
await seller.client.ok(createAd, { body: adBody({ category: 'vehicles' }) });

beforeEach(async () => void (await site.app.db('category_names').delete()));

const change = (slug: string, body: object) => ({ params: { slug }, body });
const nameOf = async (slug: string, language?: Language) =>
  (await site.anonymous.ok(listCategories, { query: { language } })).find((category) => category.slug === slug)?.name;
const openIn = async (path: string, language: string) =>
  (await site.anonymous.send(path, { headers: { 'Accept-Language': language } })).body as string;

test('the categories of the seeds are the ones that are named in all languages', () => {
  const seeds: { slug: string; name: string }[] = JSON.parse(
    readFileSync(new URL('../../../seeds/categories.json', import.meta.url), 'utf8'),
  );
  const english = Object.entries(BUILT_IN).map(([slug, key]) => [slug, t(key)]);
  expect(english.toSorted()).toEqual(seeds.map(({ slug, name }) => [slug, name]).toSorted());
});

test('a page names categories in its language, JSON without a language in none', async () => {
  expect(await nameOf('vehicles', 'de')).toBe('Fahrzeuge');
  expect(await nameOf('vehicles', 'ar')).toBe('سيارات ومركبات');
  expect([await nameOf('vehicles', 'en'), await nameOf('vehicles')]).toEqual(['Vehicles', 'Vehicles']);
  const { params } = { params: { slug: 'pets' } };
  expect(await site.anonymous.ok(getCategory, { params, query: { language: 'de' } })).toMatchObject({
    name: 'Haustierbedarf',
  });
  expect(await openIn('/categories?category=vehicles', 'de')).toContain('<title>Fahrzeuge: Anzeigen |');
  expect(await openIn('/categories', 'de')).toContain('Haustierbedarf');
  expect(await site.anonymous.ok(getCategoryStats, { query: { by: 'slug' } })).toMatchObject({ 'real-estate': 0 });
  expect(await site.anonymous.ok(getCategoryStats)).toMatchObject({ 'Real Estate': 0 });
});

test('an administrator names a category in each language; a renamed one has no built-in name', async () => {
  const names = [{ language: 'de', name: 'Rund ums Tier' }];
  const saved = await admin.ok(changeCategory, change('pets', { names }));
  expect(saved.names).toEqual(names);
  // other readers have a list that is cached for a moment
  await expect.poll(() => nameOf('pets', 'de')).toBe('Rund ums Tier');
  expect(await nameOf('pets', 'ar')).toBe('مستلزمات الحيوانات الأليفة');
  await admin.ok(changeCategory, change('pets', { name: 'Animals' }));
  await expect.poll(() => nameOf('pets', 'ar')).toBe('Animals');
  expect(await nameOf('pets', 'de')).toBe('Rund ums Tier');
  await admin.ok(changeCategory, change('pets', { name: 'Pet Supplies', names: [{ language: 'de', name: '' }] }));
  await expect.poll(() => nameOf('pets', 'de')).toBe('Haustierbedarf');
  expect(
    await site.app.db('audit_log').where({ action: 'category.name' }).orderBy('id', 'desc').first('details'),
  ).toMatchObject({
    details: { language: 'de', name: null },
  });
});

test('of two who edit at once, one is refused; so is the name of another category, and a language that is not spoken', async () => {
  const all = await admin.ok(listAllCategories);
  const { version } = all.find(({ slug }) => slug === 'pets')!;
  await admin.ok(changeCategory, change('pets', { names: [{ language: 'de', name: 'Tiere' }], version }));
  const again = change('pets', { names: [{ language: 'de', name: 'Tier' }], version });
  expect(await admin.call(changeCategory, again)).toMatchObject({ status: 409 });
  for (const [name, status] of [
    ['tiere', 409],
    ['MÖBEL', 409],
    ['x'.repeat(51), 400],
  ] as const)
    expect(await admin.call(changeCategory, change('toys', { names: [{ language: 'de', name }] }))).toMatchObject({
      status,
    });
  expect(await admin.call(changeCategory, change('toys', { names: [{ language: 'ja', name: 'x' }] }))).toMatchObject({
    status: 400,
  });
  expect(await site.app.db('category_names').select('name')).toEqual([{ name: 'Tiere' }]);
});

test('a new category has its names in other languages at once, or is not there', async () => {
  const create = (name: string, german: string) =>
    admin.call(createCategory, {
      body: { name, slug: '', icon: 'sprout', names: [{ language: 'de' as const, name: german }] },
    });
  const made = await create('Garden Gnomes', 'Gartenzwerge');
  expect(made).toMatchObject({ status: 201, body: { names: [{ language: 'de', name: 'Gartenzwerge' }] } });
  await expect.poll(() => nameOf('garden-gnomes', 'de')).toBe('Gartenzwerge');
  expect(await nameOf('garden-gnomes', 'ar')).toBe('Garden Gnomes');
  expect(await create('Closets', 'Möbel')).toMatchObject({ status: 409 });
  expect(await site.app.db('categories').where({ slug: 'closets' })).toEqual([]);
});

test('the figures name categories in the language of whoever reads them', async () => {
  const read = async (headers = {}) => (await admin.ok(getAdminStats, { headers })).topCategories;
  expect(await read({ 'Accept-Language': 'de' })).toMatchObject([{ category: 'Fahrzeuge', count: 1 }]);
  expect(await read()).toMatchObject([{ category: 'Vehicles', count: 1 }]);
});

test('a search finds categories by their names in the languages of the marketplace', async () => {
  const suggest = async (search: string) =>
    (await site.anonymous.ok(suggestSearches, { query: { search } })).categories.map(({ slug }) => slug);
  expect(await suggest('fahrz')).toEqual(['vehicles']);
  expect(await suggest('سيارات')).toEqual(['vehicles']);
  expect(await suggest('vehic')).toEqual(['vehicles']);
});

test('marketctl names a category in a language', async () => {
  const cli = (line: string | string[]) =>
    runCli(line, { env: { NODE_ENV: 'test', DATABASE_URL: database.url, LOCALES } });
  expect((await cli('category name tools Schrauben --language de')).code).toBe(0);
  const listed = (await cli('category list --language de -o json')).json();
  expect(listed).toContainEqual(expect.objectContaining({ slug: 'tools', name: 'Schrauben' }));
  expect(listed).toContainEqual(expect.objectContaining({ slug: 'vehicles', name: 'Fahrzeuge' }));
  expect((await cli('category name tools Möbel --language de')).stderr).toContain(
    'There is a category "Möbel" (furniture) already',
  );
  const gnomes = ['category', 'add', 'Lawn Gnomes', '--name-in', 'de=Rasenzwerge', 'ar=أقزام الحديقة'];
  expect((await cli(gnomes)).code).toBe(0);
  expect((await cli('category list --language de -o json')).json()).toContainEqual(
    expect.objectContaining({ slug: 'lawn-gnomes', name: 'Rasenzwerge' }),
  );
  expect((await cli(['category', 'add', 'Dwarfs', '--name-in', 'Zwerge'])).stderr).toContain('Write it as de=');
  expect((await cli('category name tools x --language ja')).stderr).toContain('This site speaks en, de, ar');
});
