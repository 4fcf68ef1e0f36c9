import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { toManifestUrl } from '../../features/brand/site.ts';

const { app, url, createPerson } = await openTestApp({ env: { LOCALES: 'en,de,ar', PRODUCT_FEED: 'on' } });
let id = '';
beforeAll(async () => {
  await insertCategories(app);
  const { client } = await createPerson();
  ({ id } = await client.ok(createAd, { body: adBody({ category: 'vehicles' }) }));
});

const read = async (path: string, language: string) => {
  const response = await fetch(url + path, { headers: { 'Accept-Language': language, Accept: '*/*' } });
  return { headers: response.headers, text: await response.text() };
};

test.each([
  ['en', 'Latest Ads', 'Vehicles'],
  ['de', 'Neue Anzeigen', 'Fahrzeuge'],
  ['ar', 'أحدث الإعلانات', 'سيارات ومركبات'],
])('in %s, a feed says what it is and what its categories are called', async (language, title, category) => {
  const all = await read('/feed.atom', language);
  expect(all.text).toContain(`<title>${title} | `);
  expect(all.text).toContain(`term="vehicles" label="${category}"`);
  expect(all.headers.get('Content-Language')).toBe(language);
  expect(all.headers.get('Vary')).toContain('Accept-Language');
  expect((await read('/feed.atom?category=vehicles', language)).text).toContain(`<title>${category} | `);
});

test('the structured data of an ad name its category in the language of the page', async () => {
  for (const [language, name] of [
    ['de', 'Fahrzeuge'],
    ['en', 'Vehicles'],
  ] as const) {
    const page = await fetch(`${url}/ads/${id}`, { headers: { Accept: 'text/html', 'Accept-Language': language } });
    const html = await page.text();
    const things = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
      JSON.parse(json!),
    );
    expect(things.find((thing) => thing['@type'] === 'Product').category).toBe(name);
    const trail = things.find((thing) => thing['@type'] === 'BreadcrumbList').itemListElement;
    expect(trail.map((step: { name: string }) => step.name)).toContain(name);
  }
});

test('the manifest speaks the language of the page that names it, else that of the browser', async () => {
  const path = toManifestUrl('ar', '');
  const parse = async (address: string, language: string) => JSON.parse((await read(address, language)).text);
  expect(await parse(path, 'en')).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
    description: expect.stringMatching(/[ء-ي]/),
  });
  expect(await parse('/manifest.webmanifest', 'de')).toMatchObject({
    lang: 'de',
    dir: 'ltr',
    description: expect.stringContaining('Marktplatz'),
  });
  const { icons } = await parse('/manifest.webmanifest?language=xx', 'en');
  for (const { src } of icons) expect(src).toMatch(/^\/icon[\w-]*\.(svg|png)$/);
});
