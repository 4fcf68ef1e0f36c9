import { beforeEach, expect, test } from 'vitest';
import type { Language } from '../../../contract/languages.ts';
import * as api from '../../../contract/page-texts.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';

const LOCALES = 'en,de,ar';
const database = await createTestDatabase();
const site = await openTestApp({ database, env: { LOCALES } });
await insertCategories(site.app);
const { id } = await insertUser(site.app, { role: 'admin', username: 'ann' });
const admin = await site.signIn(id);

beforeEach(async () => void (await site.app.db('page_texts').delete()));

const target = (page: api.TextPage, language?: Language) => ({ params: { page }, query: { language } });
const write = (page: api.TextPage, language: Language, text: string) =>
  admin.ok(api.updatePage, { ...target(page, language), body: { text } });
const reset = (page: api.TextPage, language: Language) => admin.ok(api.resetPage, target(page, language));
const read = (page: api.TextPage, language?: Language) => site.anonymous.ok(api.readPageText, target(page, language));
const introOf = async (page: api.TextPage, language?: Language) => (await read(page, language)).intro;
const openIn = async (path: string, language: string) => {
  const { body } = await site.anonymous.send(path, { headers: { 'Accept-Language': language } });
  return body as string;
};

test('the built-in texts are in the language of the reader, with its values', async () => {
  const inTerms = async (language: Language) => JSON.stringify(await read('terms-of-service', language));
  expect(await inTerms('de')).toContain('Alle Preise sind in einer Währung: US-Dollar (USD).');
  expect(await inTerms('ar')).toContain('(USD)');
  const steps = JSON.stringify((await read('how-it-works', 'de')).sections);
  expect(steps).toContain('Füge bis zu 5 Fotos, einen Titel, ein paar ehrliche Sätze');
  expect(steps).toContain('25 Kategorien, von ');
  for (const page of api.TEXT_PAGES.filter((name) => name !== 'imprint'))
    expect(JSON.stringify(await read(page, 'ar'))).not.toMatch(/[{]\w+[}]|undefined|page\.\w/);
});

test('a page shows the text of its language at once, and English where the marketplace speaks no other', async () => {
  expect(await openIn('/terms-of-service', 'de')).toContain('Zustimmung zu diesen Bedingungen');
  expect(await openIn('/terms-of-service', 'ar')).toContain('قبول هذه الشروط');
  expect(await openIn('/terms-of-service', 'ja')).toContain('Acceptance of these terms');
  expect(await read('privacy', 'ja')).toMatchObject({ language: 'en' });
  expect(await read('privacy')).toMatchObject({ language: 'en' });
});

test('an own text counts for its language, that of the first language for those without one', async () => {
  await write('privacy', 'de', 'Unser Datenschutz');
  await expect.poll(() => introOf('privacy', 'de')).toBe('<p>Unser Datenschutz</p>');
  expect(await read('privacy', 'en')).toMatchObject({ isBuiltIn: true, language: 'en' });
  expect(await read('privacy', 'ar')).toMatchObject({ isBuiltIn: true, language: 'ar' });
  await write('privacy', 'en', 'Our privacy');
  await expect.poll(() => introOf('privacy', 'ar')).toBe('<p>Our privacy</p>');
  expect(await read('privacy', 'ar')).toMatchObject({ isBuiltIn: false, language: 'en' });
  expect(await introOf('privacy', 'de')).toBe('<p>Unser Datenschutz</p>');
  expect(await openIn('/privacy', 'ar')).toContain('Our privacy');
  expect(await admin.ok(api.getPage, target('privacy', 'ar'))).toMatchObject({
    language: 'ar',
    shown: 'en',
    isBuiltIn: true,
    versions: [],
  });
  await reset('privacy', 'en');
  await expect.poll(() => read('privacy', 'ar')).toMatchObject({ isBuiltIn: true, language: 'ar' });
});

test('an imprint in any language exists in all of them', async () => {
  await write('imprint', 'de', 'Anna Muster');
  await expect
    .poll(async () => (await site.anonymous.call(api.readPageText, target('imprint', 'ar'))).status)
    .toBe(200);
  expect(await read('imprint', 'ar')).toMatchObject({ language: 'de', intro: '<p>Anna Muster</p>' });
  await write('imprint', 'ar', 'آنا');
  await expect.poll(() => introOf('imprint', 'ar')).toBe('<p>آنا</p>');
  expect(await introOf('imprint', 'en')).toBe('<p>Anna Muster</p>');
});

test('each language has its own history and version', async () => {
  const english = await write('contact', 'en', 'One');
  const german = await write('contact', 'de', 'Eins');
  expect([english.versions.length, german.versions.length]).toEqual([1, 1]);
  const ofOther = { ...target('contact', 'de'), body: { id: english.version } };
  expect(await admin.call(api.restorePage, ofOther)).toMatchObject({ status: 404 });
  expect(
    await admin.call(api.getPageVersion, {
      params: { page: 'contact', id: english.version },
      query: { language: 'de' },
    }),
  ).toMatchObject({ status: 404 });
  const stale = { ...target('contact', 'de'), body: { text: 'Zwei', version: english.version } };
  expect(await admin.call(api.updatePage, stale)).toMatchObject({ status: 409 });
  await reset('contact', 'de');
  expect(await admin.ok(api.getPage, target('contact', 'en'))).toMatchObject({ text: 'One' });
  expect(await site.app.db('audit_log').orderBy('id', 'desc').first('details')).toMatchObject({
    details: { language: 'de', characters: null },
  });
});

test('a preview has the values of its language', async () => {
  const body = { text: '{currency}' };
  expect(await admin.ok(api.previewPage, { query: { language: 'de' }, body })).toMatchObject({
    intro: '<p>US-Dollar (USD)</p>',
  });
});

test.each(['ja', 'xx'])('nobody writes in “%s”, which the marketplace does not speak', async (language) => {
  const response = await admin.call(api.updatePage, {
    ...target('privacy', language as Language),
    body: { text: 'x' },
  });
  expect(response.status).toBe(400);
  expect(await site.app.db('page_texts')).toEqual([]);
});

test('marketctl writes, shows and lists in a language', async () => {
  const cli = (line: string, stdin = '') =>
    runCli(line, { env: { NODE_ENV: 'test', DATABASE_URL: database.url, LOCALES }, stdin });
  expect((await cli('page show contact --language de')).stdout).toContain('innerhalb von 24 Stunden');
  expect((await cli('page set contact - --language de -o json', 'Hallo')).json()).toMatchObject([{ language: 'de' }]);
  expect((await cli('page show contact --language de')).stdout).toBe('Hallo\n');
  expect((await cli('page show contact')).stdout).toContain('within 24 hours');
  expect((await cli('page list --language de -o json')).json()).toContainEqual(
    expect.objectContaining({ page: 'contact', language: 'de', text: 'own' }),
  );
  expect((await cli('page set contact - --language ja', 'x')).stderr).toContain('This site speaks en, de, ar');
  expect((await cli('page reset contact --language de')).code).toBe(0);
  expect((await cli('page history contact --language de -o json')).json()).toHaveLength(2);
});
