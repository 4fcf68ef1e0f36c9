import { afterAll, beforeEach, expect, test } from 'vitest';
import { getSettings } from '../../../contract/admin.ts';
import * as api from '../../../contract/brand.ts';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import type { InitialState } from '../../../contract/initial-state.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { sampleNotification } from '../notifications/mail-samples.ts';
import { buildNotificationMail } from '../notifications/notification-mail.ts';
import { readSite } from './site.ts';

const database = await createTestDatabase();
/** Two replicas. */
const [one, two] = [
  await openTestApp({ database, env: { LOCALES: 'en,de,ja' } }),
  await openTestApp({ database: { ...database, drop: async () => {} }, env: { LOCALES: 'en,de,ja' } }),
];
await insertCategories(one.app);
const { id } = await insertUser(one.app, { role: 'admin' });
const admin = await one.signIn(id);
const adminAtTwo = await two.signIn(id);

beforeEach(async () => void (await admin.ok(api.resetBrand)));

const readPage = async (path = '/') => (await two.anonymous.send(path)).body;
const envOf = (html: string): InitialState['env'] => JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '').env;

const OTHER = {
  name: 'Kettle & Co',
  shortName: 'Kettles',
  accent: '#7a1fa2',
  headline: 'Kettles for everyone',
  tagline: 'Old and new.',
  footerLine: 'Boils since 1907.',
  isBeta: false,
  homeCountry: 'NZ',
  theme: 'dark',
  links: [{ label: 'Imprint', url: 'https://kettles.example/imprint' }],
} as const;

test('without a change, pages say what they always said, with the colours of the style sheet', async () => {
  const html = await readPage();
  expect(envOf(html)).toMatchObject({
    siteName: 'Tradepost',
    headline: 'Buy and sell with people on X',
    tagline: 'The marketplace for X users. Look up every seller before you meet.',
    footerLine: 'The marketplace for X users. Buy and sell with people you can look up before you meet.',
    isBeta: true,
    links: [],
  });
  expect(html).toContain('<html lang="en" data-theme="light">');
  expect(html).toContain(
    'content="Tradepost is the marketplace for X users: buy and sell with people you can look up.',
  );
  expect(html).not.toContain('<style');
});

test('a change at one replica is in the next pages of the other, with its colours before any script', async () => {
  await readPage();
  await admin.ok(api.updateBrand, { body: OTHER as never });
  await expect.poll(() => readPage()).toContain('<title>Browse ads | Kettle &amp; Co</title>');
  const { body, headers } = await two.anonymous.send('/');
  const { theme, accent, homeCountry, shortName, name, ...shown } = OTHER;
  expect(envOf(body)).toMatchObject({ ...shown, siteName: name });
  expect(body).toContain('<html lang="en" data-theme="dark">');
  expect(body).toContain('content="Kettle &amp; Co: Kettles for everyone. Old and new.');
  const [, nonce, style] = /<style nonce="([^"]+)">([^<]*)<\/style>/.exec(body) ?? [];
  expect(style).toContain(':root:root{--primary:#7a1fa2;');
  expect(style).toContain(':root.dark{--primary:#');
  expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
  expect((await admin.ok(getSettings)).homeCountry).toBe('NZ');
  expect((await two.anonymous.send('/feed.atom')).body).toContain('<title>Latest Ads | Kettle &amp; Co</title>');
  expect((await two.anonymous.send('/api/openapi.json')).body.info.title).toBe('Kettle & Co API');
});

test('mails have the name and the colours, light and dark', async () => {
  await admin.ok(api.updateBrand, { body: { name: OTHER.name, accent: OTHER.accent } });
  const mail = buildNotificationMail(
    { ...(await readSite(two.app)), clock: two.app.clock, texts: readTexts('en') },
    sampleNotification('price_drop'),
    'ann@mail.example',
  );
  expect(mail.from).toBe('Kettle & Co');
  expect(mail.html).toContain('>Kettle &amp; Co</a>');
  expect(mail.html).toContain('background:#7a1fa2;color:#fcfcfc');
  expect(mail.html).not.toMatch(/#0265d9|#5ba8fc/);
});

test('what is absent stays; a change of what has changed meanwhile is refused', async () => {
  const { version } = await admin.ok(api.getBrand);
  const changed = await adminAtTwo.ok(api.updateBrand, { body: { headline: 'One', version } });
  expect(changed).toMatchObject({ headline: 'One', tagline: DEFAULT_BRAND.tagline });
  expect(await admin.call(api.updateBrand, { body: { headline: 'Two', version } })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
  expect((await admin.ok(api.updateBrand, { body: { tagline: '' } })).headline).toBe('One');
});

test('a reset brings all back but the home country, and SITE_NAME names the site again', async () => {
  await admin.ok(api.updateBrand, { body: OTHER as never });
  expect(await admin.ok(api.resetBrand)).toMatchObject({ ...DEFAULT_BRAND, name: 'Tradepost', homeCountry: 'NZ' });
  expect(await one.app.db('settings').where({ key: 'brand' })).toEqual([]);
});

test('its words are those of each language that has some; others are built in, or those of the first language', async () => {
  const german = { language: 'de' as const, headline: 'Kessel für alle', tagline: '', footerLine: 'Kocht seit 1907.' };
  const nothing = { language: 'ja' as const, headline: '', tagline: '', footerLine: '' };
  const { translations } = await admin.ok(api.updateBrand, {
    body: { headline: 'Kettles for everyone', translations: [german, nothing] },
  });
  expect(translations).toEqual([german]);
  const readIn = async (language: string) => {
    const { body } = await two.anonymous.send('/', { headers: { 'Accept-Language': language } });
    const description = /name="description" content="([^"]*)"/.exec(body)?.[1];
    return { ...envOf(body), description };
  };
  await expect
    .poll(() => readIn('de'))
    .toMatchObject({
      headline: german.headline,
      tagline: readTexts('de').catalogs.brand?.builtInTagline,
      footerLine: german.footerLine,
      description: expect.stringMatching(/^Tradepost: Kessel für alle\. /),
    });
  await expect
    .poll(() => readIn('ja'))
    .toMatchObject({
      headline: 'Kettles for everyone',
      footerLine: readTexts('ja').catalogs.brand?.builtInFooterLine,
    });
  await expect
    .poll(() => readIn('en'))
    .toMatchObject({ headline: 'Kettles for everyone', footerLine: DEFAULT_BRAND.footerLine });
  const french = { ...german, language: 'fr' as const };
  expect(await admin.call(api.updateBrand, { body: { translations: [french] } })).toMatchObject({ status: 400 });
  expect((await admin.ok(api.resetBrand)).translations).toEqual([]);
});

test('each change is recorded with what was before, and one that changes nothing is not', async () => {
  await one.app.db('audit_log').delete();
  for (const _time of [1, 2]) await admin.ok(api.updateBrand, { body: { headline: 'One', isBeta: true } });
  await admin.ok(api.resetBrand);
  expect(await one.app.db('audit_log').orderBy('id').select('action', 'details')).toEqual([
    {
      action: 'brand.update',
      details: { before: { headline: DEFAULT_BRAND.headline }, after: { headline: 'One' } },
    },
    {
      action: 'brand.reset',
      details: { before: { headline: 'One' }, after: { headline: DEFAULT_BRAND.headline } },
    },
  ]);
});

test.each([
  ['name', ' \u200b ', 'The name cannot be blank'],
  ['name', 'x'.repeat(51), 'Must be at most 50 characters'],
  ['headline', '', 'The headline cannot be blank'],
  ['accent', 'red', 'Must be a colour such as #0265d9'],
  ['accent', '#0265d9;}body{display:none', 'Must be a colour such as #0265d9'],
  ['theme', 'pink', 'Must be light, dark or system'],
  ['homeCountry', 'USA', 'Must be a code such as US, or empty'],
  ['links', [{ label: 'a', url: 'javascript:alert(1)' }], 'Must be an http:// or https:// address'],
  ['links', [{ label: '', url: 'https://a.example' }], 'A link needs a text'],
  ['links', Array(9).fill({ label: 'a', url: 'https://a.example' }), 'At most 8 links'],
])('%s %j is refused with a reason', async (field, value, message) => {
  const { status, body } = await admin.call(api.updateBrand, { body: { [field]: value } as never });
  expect(status).toBe(400);
  expect(Object.entries((body as { fields: object }).fields)).toEqual([[expect.stringMatching(field), message]]);
});

test('text of the brand cannot leave its place in a page', async () => {
  const evil = '</script><script>alert(1)</script>"\'>';
  await admin.ok(api.updateBrand, { body: { name: evil, headline: evil, tagline: evil, footerLine: evil } });
  await expect.poll(() => readPage()).toContain('&lt;/script&gt;');
  expect(await readPage()).not.toContain('<script>alert(1)');
});

test('the terminal shows, sets and resets it, and says when a colour is corrected', async () => {
  const env = { DATABASE_URL: database.url };
  const set = await runCli(['brand', 'set', 'accent', '#FFEE00'], { env });
  expect(set.stderr).toMatch(
    /^#ffee00 has too little contrast on light backgrounds: buttons and links use #[0-9a-f]{6}\.$/m,
  );
  expect((await admin.ok(api.getBrand)).accent).toBe('#ffee00');
  const purple = await runCli(['brand', 'set', 'accent', '#7a1fa2'], { env });
  expect(purple.stderr).toMatch(/^on dark backgrounds, buttons and links use #[0-9a-f]{6}\.$/im);
  expect(purple.stderr).not.toContain('too little contrast');
  const links = JSON.stringify(OTHER.links);
  expect((await runCli(['brand', 'set', 'links', links, '-o', 'json'], { env })).json()[0].value).toEqual(OTHER.links);
  for (const [key, value] of [
    ['accent', 'red'],
    ['isBeta', 'perhaps'],
    ['links', 'https://a.example'],
    ['name', ''],
  ])
    expect((await runCli(['brand', 'set', key!, value!], { env })).code, key).toBe(2);
  expect((await runCli('brand reset', { env })).code).toBe(0);
  expect((await admin.ok(api.getBrand)).accent).toBe('#0265d9');
});

afterAll(() => two.app.close());
