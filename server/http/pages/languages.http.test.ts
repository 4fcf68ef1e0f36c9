import { beforeAll, expect, test } from 'vitest';
import * as ads from '../../../contract/ads.ts';
import { setLanguage } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { readMark } from '../../../test/harness/client.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { openSession } from '../../../test/harness/sessions.ts';

const { app, url, createPerson } = await openTestApp({ env: { LOCALES: 'en,de,ar' } });
const one = await openTestApp({ env: { LOCALES: 'de' } });
await insertCategories(app);

const open = (path: string, headers: Record<string, string> = {}, site = url) =>
  fetch(site + path, { headers: { Accept: 'text/html', ...headers } });
const openIn = async (language: string, path = '/safety-tips') => {
  const response = await open(path, { 'Accept-Language': language });
  return { response, html: await response.text() };
};

let ad = '';
beforeAll(async () => {
  const { client } = await createPerson();
  ad = `/api/ads/${(await client.ok(ads.createAd, { body: adBody() })).id}`;
});

test('the pages of two languages are cached apart and never mix', async () => {
  for (let round = 0; round < 3; round++) {
    const [english, german, arabic] = await Promise.all(['en', 'de', 'ar'].map((language) => openIn(language)));
    expect(english?.html).toContain('<title>Safety Tips | ');
    expect(german?.html).toContain('<title>Sicherheitstipps | ');
    expect(arabic?.html).toContain('<title>نصائح السلامة | ');
  }
});

test('a page says its language and its direction', async () => {
  const { response, html } = await openIn('ar');
  expect(html).toMatch(/^<!doctype html>\n<html lang="ar" dir="rtl" /);
  expect(response.headers.get('Content-Language')).toBe('ar');
  expect(response.headers.get('Vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
  expect((await openIn('de')).html).toMatch(/^<!doctype html>\n<html lang="de" data-theme/);
});

test('what a browser kept in one language is not confirmed in another', async () => {
  const etag = (await openIn('de')).response.headers.get('ETag') ?? '';
  const again = (language: string) => open('/safety-tips', { 'If-None-Match': etag, 'Accept-Language': language });
  expect([(await again('de')).status, (await again('en')).status]).toEqual([304, 200]);
});

test('public JSON is the same in every language', async () => {
  const read = async (language: string) => (await fetch(url + ad, { headers: { 'Accept-Language': language } })).text();
  expect(await read('de')).toBe(await read('ar'));
});

test('the language of an account wins over cookie and browser, and leads nobody else', async () => {
  const person = await createPerson();
  const session = await openSession(app, person.id);
  const openAs = async (...cookies: string[]) => {
    const Cookie = [session, 'language=ar', ...cookies].join('; ');
    const response = await open('/safety-tips', { Cookie, 'Accept-Language': 'en' });
    return response.headers.get('Content-Language');
  };
  expect(await openAs()).toBe('ar');
  const changed = await person.client.call(setLanguage, { body: { language: 'de' } });
  expect(await openAs(readMark(changed))).toBe('de');
  expect((await openIn('en')).response.headers.get('Content-Language')).toBe('en');
});

test('search engines and previews get a title and a description in the language of the page', async () => {
  const { html } = await openIn('de', '/?search=stuhl');
  const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
  expect(description).toMatch(/^„stuhl“: \d+ Anzeigen? von Leuten auf X/);
});

test('a language that the marketplace does not speak is refused', async () => {
  const { client } = await createPerson();
  for (const language of ['ja', 'xx', '']) {
    const { status } = await client.call(setLanguage, { body: { language: language as 'ja' } });
    expect(status).toBe(400);
  }
});

test('a marketplace with one language speaks it to everybody', async () => {
  const response = await open('/safety-tips', { 'Accept-Language': 'en', Cookie: 'language=en' }, one.url);
  expect(await response.text()).toContain('<title>Sicherheitstipps | ');
  expect(response.headers.get('Vary')).toBe('Accept-Encoding, Cookie');
});
