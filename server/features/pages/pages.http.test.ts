import { beforeEach, describe, expect, test } from 'vitest';
import { getSettings, updateSettings } from '../../../contract/admin.ts';
import { updateBrand } from '../../../contract/brand.ts';
import type { InitialState } from '../../../contract/initial-state.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/page-texts.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';

const database = await createTestDatabase();
/** Two replicas. */
const [one, two] = [
  await openTestApp({ database }),
  await openTestApp({ database: { ...database, drop: async () => {} } }),
];
await insertCategories(one.app);
const { id } = await insertUser(one.app, { role: 'admin', username: 'ann' });
const admin = await one.signIn(id);
const adminAtTwo = await two.signIn(id);

beforeEach(async () => void (await one.app.db('page_texts').delete()));

const of = (page: api.TextPage) => ({ params: { page } });
const write = (page: api.TextPage, text: string, version?: string) =>
  admin.ok(api.updatePage, { ...of(page), body: { text, version } });
const readText = (page: api.TextPage) => two.anonymous.ok(api.readPageText, of(page));
const readHtml = async (path: string) => (await two.anonymous.send(path)).body as string;
const bootOf = (html: string): InitialState => JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '');

describe('built-in texts', () => {
  test('of every page but the imprint, with values in place of their names', async () => {
    for (const page of api.TEXT_PAGES.filter((name) => name !== 'imprint')) {
      const text = await readText(page);
      expect(text).toMatchObject({ page, isBuiltIn: true, updated: page === 'terms-of-service' ? '2025-01' : null });
      expect(JSON.stringify(text)).not.toMatch(/[{]\w+[}]/);
      expect(JSON.stringify(text)).not.toContain('undefined');
    }
    expect(await two.anonymous.call(api.readPageText, of('imprint'))).toMatchObject({ status: 404 });
    expect(await two.anonymous.send('/api/pages/nothing')).toMatchObject({ status: 404 });
  });

  test('follow name, currency, photos and categories', async () => {
    const inTerms = async () => JSON.stringify((await readText('terms-of-service')).sections);
    const inSteps = async () => JSON.stringify((await readText('how-it-works')).sections);
    expect(await inTerms()).toContain('All prices are in one currency: US Dollar (USD).');
    expect(await inTerms()).toContain('By using Tradepost you accept');
    expect(await inTerms()).toContain(`within ${LIMITS.appealDays} days you may appeal`);
    expect(await inTerms()).toContain('<a href=\\"mailto:legal@example.com\\">legal@example.com</a>');
    expect(await inSteps()).toContain('Add up to 5 photos, a title, a few');
    expect(await inSteps()).toContain('25 categories, from Electronics to Tickets &amp; Events.');
    const { version: _, ...settings } = await admin.ok(getSettings);
    await admin.ok(updateSettings, { body: { ...settings, maxImagesPerAd: 0 } });
    await admin.ok(updateBrand, { body: { name: '*Kettle* [Co](/x)' } });
    await one.app.db('categories').whereNot({ slug: 'books' }).update({ is_disabled: true });
    await expect.poll(inTerms).toContain('By using *Kettle* [Co](/x) you accept');
    await expect.poll(inSteps).toContain('Add a title, a few');
    expect(await inSteps()).toContain('Everything in Books &amp; Media.');
    await admin.ok(updateSettings, { body: settings });
    await admin.ok(updateBrand, { body: { name: 'Tradepost' } });
    await one.app.db('categories').update({ is_disabled: false });
  });

  test('the privacy page tells of everything that is kept for how long, also of what is written down beside the data', async () => {
    const { sections } = await readText('privacy');
    const lines = sections.find(({ title }) => title === 'For how long')!.html.match(/<li>.*?<\/li>/gs)!;
    const kept = [
      'account',
      'messages',
      'session',
      'visits',
      'contact',
      'log of requests',
      'backups',
      'administrators',
      'follow',
      'prices',
      'e-mail address',
      'saved searches',
      'push notifications',
    ];
    for (const name of kept) expect(lines.some((line) => line.includes(name))).toBe(true);
    const places = sections.find(({ title }) => title === 'Places')!.html;
    expect(places).toContain('<a href="https://www.geonames.org/"');
    expect(places).toContain('<a href="https://creativecommons.org/licenses/by/4.0/"');
  });
});

test('a change at one replica is in the next pages of the other, with its date', async () => {
  expect(await readHtml('/safety-tips')).toContain('Red Flags');
  const saved = await write('safety-tips', 'Be careful at {site}.\n\n## Where\n\nIn [our office](https://a.example).');
  expect(saved).toMatchObject({ isBuiltIn: false, versions: [{ isBuiltIn: false, savedBy: 'ann', characters: 68 }] });
  await expect.poll(() => readHtml('/safety-tips')).toContain('Be careful at Tradepost.');
  const today = saved.versions[0]!.savedAt.slice(0, 10);
  expect(bootOf(await readHtml('/safety-tips')).data['/api/pages/safety-tips?language=en']).toEqual({
    page: 'safety-tips',
    language: 'en',
    isBuiltIn: false,
    updated: today,
    intro: '<p>Be careful at Tradepost.</p>',
    sections: [
      {
        id: 'section-where',
        title: 'Where',
        html: '<p>In <a href="https://a.example" target="_blank" rel="nofollow ugc noopener">our office</a>.</p>',
        parts: [],
      },
    ],
  });
});

test('the imprint, the link in the footer and its line of the sitemap exist as long as it has text', async () => {
  const isLinked = async () => bootOf(await readHtml('/')).env.hasImprint;
  expect((await two.anonymous.send('/imprint')).status).toBe(404);
  expect(await isLinked()).toBe(false);
  await write('imprint', 'Ann Ample, 1 High Street');
  await expect.poll(isLinked).toBe(true);
  const { status, body } = await two.anonymous.send('/imprint');
  expect(status).toBe(200);
  expect(body).toContain('<title>Imprint | Tradepost</title>');
  expect((await one.anonymous.send('/sitemap-pages.xml')).body).toContain('/imprint</loc>');
  expect(await admin.ok(api.resetPage, of('imprint'))).toMatchObject({ isBuiltIn: true, text: '' });
  await expect.poll(isLinked).toBe(false);
  await expect.poll(async () => (await two.anonymous.send('/imprint')).status).toBe(404);
  expect((await two.anonymous.send('/sitemap-pages.xml')).body).not.toContain('/imprint');
});

test('of two who save at once one is refused, and the text of both is somewhere', async () => {
  const { version } = await admin.ok(api.getPage, of('privacy'));
  const calls = [admin, adminAtTwo].map((who, index) =>
    who.call(api.updatePage, { ...of('privacy'), body: { text: `Text ${index}`, version } }),
  );
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const stored = await admin.ok(api.getPage, of('privacy'));
  expect(stored.text).toBe(`Text ${replies.findIndex(({ status }) => status === 200)}`);
  expect(stored.versions).toHaveLength(1);
  const again = { ...of('privacy'), body: { text: 'Both', version: stored.version } };
  expect((await adminAtTwo.ok(api.updatePage, again)).versions).toHaveLength(2);
  expect(await admin.call(api.updatePage, again)).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

test('versions can be read and restored, the built-in text too', async () => {
  const first = (await write('contact', 'One')).version;
  await write('contact', 'Two');
  const builtIn = (await admin.ok(api.resetPage, of('contact'))).version;
  const third = await write('contact', 'Three');
  const readVersion = (version: string) =>
    admin.ok(api.getPageVersion, { params: { page: 'contact', id: version } }).then(({ text }) => text);
  expect(await readVersion(first)).toBe('One');
  expect(await readVersion(builtIn)).toContain('we answer within 24 hours');
  const restore = (version: string) => admin.ok(api.restorePage, { ...of('contact'), body: { id: version } });
  expect(await restore(first)).toMatchObject({ text: 'One', isBuiltIn: false });
  const back = await restore(builtIn);
  expect(back).toMatchObject({ isBuiltIn: true, text: expect.stringContaining('24 hours') });
  expect(back.versions.map(({ isBuiltIn, characters }) => (isBuiltIn ? 'built-in' : characters))).toEqual([
    'built-in',
    3,
    5,
    'built-in',
    3,
    3,
  ]);
  const stale = { ...of('contact'), body: { id: first, version: third.version } };
  expect(await admin.call(api.restorePage, stale)).toMatchObject({ status: 409 });
  const ofOther = { params: { page: 'privacy', id: first } } as const;
  expect(await admin.call(api.getPageVersion, ofOther)).toMatchObject({ status: 404 });
  expect(await admin.call(api.restorePage, { ...of('privacy'), body: { id: first } })).toMatchObject({ status: 404 });
});

test('a page keeps its newest hundred versions', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ page: 'imprint', language: 'en', body: `Text ${index}` }));
  await one.app.db('page_texts').insert(rows);
  const { versions, text } = await write('imprint', 'The last');
  expect(versions).toHaveLength(api.PAGE_TEXT_LIMITS.versions);
  expect(text).toBe('The last');
  expect(await one.app.db('page_texts').min('body as first').first()).toEqual({ first: 'Text 100' });
});

test('each change is recorded, and one that changes nothing is neither a version nor recorded', async () => {
  await one.app.db('audit_log').delete();
  for (const _time of [1, 2]) await write('imprint', 'Ann');
  for (const _time of [1, 2]) await admin.ok(api.resetPage, of('imprint'));
  const entries = await one.app.db('audit_log').orderBy('id').select('action', 'target_id', 'details');
  expect(entries).toMatchObject([
    { action: 'page.update', target_id: 'imprint', details: { before: null, characters: 3 } },
    { action: 'page.reset', target_id: 'imprint', details: { characters: null } },
  ]);
  expect(await one.app.db('page_texts')).toHaveLength(2);
});

test('a preview shows what would be saved, and saves nothing', async () => {
  const body = { text: '{site} <b>\n\n## A' };
  expect(await admin.ok(api.previewPage, { body })).toEqual({
    intro: '<p>Tradepost &lt;b&gt;</p>',
    sections: [{ id: 'section-a', title: 'A', html: '', parts: [] }],
  });
  expect(await one.app.db('page_texts')).toEqual([]);
});

test.each([
  ['a blank text', ' \n ', 400],
  ['a text too long by one', 'x'.repeat(api.PAGE_TEXT_LIMITS.text + 1), 400],
  ['1 MB of brackets', '['.repeat(1_000_000), 413],
  ['control characters', 'a\u0000b', 400],
])('%s is refused', async (_name, text, status) => {
  expect((await admin.call(api.updatePage, { ...of('imprint'), body: { text } })).status).toBe(status);
  expect((await admin.call(api.previewPage, { body: { text } })).status).toBe(status);
  expect(await one.app.db('page_texts')).toEqual([]);
});

test('the longest text is taken, also in brackets', async () => {
  const text = '['.repeat(api.PAGE_TEXT_LIMITS.text);
  expect((await write('imprint', text)).text).toBe(text);
  await expect.poll(() => readHtml('/imprint')).toContain('[[[[');
});

describe('marketctl page', () => {
  const cli = (line: string, stdin = '') =>
    runCli(line, { env: { NODE_ENV: 'test', DATABASE_URL: database.url }, stdin });

  test('shows, sets, lists, restores and resets', async () => {
    expect((await cli('page show contact')).stdout).toBe(
      'Questions, problems, ideas: write to us, we answer within 24 hours.\n',
    );
    expect((await cli('page set contact - -o json', 'First\n')).json()).toMatchObject([
      { page: 'contact', text: 'own' },
    ]);
    await cli('page set contact -', 'Second');
    expect((await cli('page show contact')).stdout).toBe('Second\n');
    const versions = (await cli('page history contact -o json')).json();
    expect(versions).toMatchObject([
      { text: 'own', characters: 6 },
      { text: 'own', characters: 5, savedBy: null },
    ]);
    const [, { version: first }] = versions;
    expect((await cli(`page show contact --version ${first}`)).stdout).toBe('First\n');
    await cli(`page restore contact ${first}`);
    expect(await readText('contact')).toMatchObject({ isBuiltIn: false });
    expect((await cli('page list -o json')).json()).toMatchObject(
      api.TEXT_PAGES.map((page) => ({
        page,
        text: page === 'contact' ? 'own' : page === 'imprint' ? 'none' : 'built-in',
      })),
    );
    await cli('page reset contact');
    expect((await cli('page show contact')).stdout).toContain('24 hours');
  });

  test('changes nothing in a dry run, and nothing for what is wrong', async () => {
    expect((await cli('page set contact - --dry-run', 'Third')).code).toBe(0);
    expect((await cli('page set contact -', ' ')).stderr).toContain('The text cannot be blank');
    expect((await cli('page set contact -', '['.repeat(1_000_000))).stderr).toContain('at most 100000 characters');
    expect((await cli('page set contact /nowhere.md')).stderr).toContain('/nowhere.md cannot be read');
    expect((await cli('page set home -', 'x')).code).not.toBe(0);
    expect((await cli('page restore contact x')).stderr).toContain('The page contact has no version x');
    expect(await one.app.db('page_texts')).toEqual([]);
  });
});
