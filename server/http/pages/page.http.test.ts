import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Ad, createAd, listAds, updateAd } from '../../../contract/ads.ts';
import { GALLERY_SIZES } from '../../../contract/image-variants.ts';
import { type InitialState, toUrl } from '../../../contract/initial-state.ts';
import { type DataPageId, getFixedTitle, PAGES, type PageId } from '../../../contract/pages.ts';
import { listCategories } from '../../../contract/stats.ts';
import { getProfile } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { getViewCounter } from '../../features/ads/view-counter.ts';

const MANIFEST = {
  'src/pages/home.tsx': {
    file: 'assets/home-1.js',
    imports: ['_card.js', '_react.js'],
    css: ['assets/home-1.css'],
  },
  'src/pages/ad-detail.tsx': { file: 'assets/ad-detail-1.js', imports: ['_card.js'] },
  '_card.js': { file: 'assets/card-1.js', imports: ['_react.js'] },
  '_react.js': { file: 'assets/react-1.js' },
};

const STYLES = '.photo{display:block}';

/** A build as Vite leaves it: the real index.html, a manifest, an asset with its compressed twin. */
async function makeDist(): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'dist-'));
  await mkdir(join(dist, '.vite'));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, '.vite/manifest.json'), JSON.stringify(MANIFEST));
  await writeFile(
    join(dist, 'index.html'),
    '<!doctype html>\n<html lang="en"><head><script>\nlet a = 1;\n</script>\n<!--head-->\n<link rel="modulepreload" crossorigin href="/assets/react-1.js"><link rel="stylesheet" crossorigin href="/assets/index-1.css"><link rel="manifest" href="/manifest.webmanifest" /></head><body><div id="root"><!--content--></div><!--boot--></body></html>',
  );
  await writeFile(join(dist, 'assets/home-1.js'), 'export{};'.repeat(200));
  await writeFile(join(dist, 'assets/index-1.css'), STYLES);
  await writeFile(join(dist, 'assets/home-1.js.br'), 'brotli');
  await writeFile(join(dist, 'service-worker.js'), 'self.a = 1;');
  return dist;
}

const dist = await makeDist();
const { app, url, anonymous, signIn, lifecycle } = await openTestApp({ dist, env: { SITE_X_HANDLE: '@shop' } });
afterAll(() => rm(dist, { recursive: true }));

const bootOf = (html: string): InitialState =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

let seller: Client;
let ad: Ad;

beforeAll(async () => {
  await insertCategories(app);
  const user = await insertUser(app, { username: 'maya', display_name: 'Maya <b>' });
  seller = await signIn(user.id);
  const photo = toDataUrl(await makePhoto({ width: 640, height: 480, seed: 1 }), 'jpeg');
  const body = adBody({
    title: 'Red "kettle" </script><script>x',
    description: 'Boils $& water',
    price: 1200,
    imageUrls: [photo],
  });
  ad = await seller.ok(createAd, { body });
});

test('the home page carries its first data under the addresses that the browser will look for', async () => {
  const { status, headers, body } = await anonymous.send('/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.getSetCookie()).toEqual([]);
  expect(body).toContain('<link rel="manifest" href="/manifest.webmanifest?language=en"');
  const boot = bootOf(body);
  expect(boot.me).toBeNull();
  expect(boot.env).toMatchObject({
    siteName: 'Tradepost',
    mode: 'test',
    maxImages: 5,
    siteXHandle: 'shop',
    testUsers: [],
  });
  const list = boot.data[toUrl(listAds)] as { items: Ad[]; total: number };
  expect(list).toMatchObject({ next: null, total: 1, totalExact: true });
  expect(list.items[0]).toEqual(await anonymous.ok(listAds).then(([first]) => first));
  expect(Object.keys(boot.data).sort()).toEqual([
    '/api/ads',
    '/api/categories/stats?by=slug',
    '/api/categories?language=en',
    '/api/stats',
  ]);
});

test.each(['/create-ad', '/how-it-works', '/dashboard', '/ads/1', '/nowhere'])(
  '%s brings the categories along, which its filters and forms offer',
  async (path) => {
    const { body } = await anonymous.send(path);
    expect(bootOf(body).data['/api/categories?language=en']).toEqual(await anonymous.ok(listCategories));
  },
);

const TITLES_BY_DATA: Record<DataPageId, string> = {
  home: 'Browse ads',
  categories: 'Browse Categories',
  'ad-detail': 'Red &quot;kettle&quot; &lt;/script&gt;&lt;script&gt;x – $1,200',
  'seller-profile': 'Maya &lt;b&gt; (@maya)',
};

test('every page of the table has its status and the title that the browser gives it', async () => {
  for (const [name, page] of Object.entries(PAGES)) {
    const path = page.path
      .replace(':id', ad.id)
      .replace(':adId', ad.id)
      .replace(':otherUserId', ad.userId)
      .replace(':username', 'maya')
      .replace('*', '/nowhere');
    const { status, body } = await anonymous.send(path);
    const title = getFixedTitle(name as PageId, 'Tradepost') ?? TITLES_BY_DATA[name as DataPageId];
    expect([name, status, /<title>(.*?)<\/title>/.exec(body)?.[1]]).toEqual([
      name,
      name === 'not-found' || name === 'imprint' ? 404 : 200,
      `${title} | Tradepost`,
    ]);
    // One entry of the manifest a page: its file is called as the page is.
    expect(existsSync(`web/src/pages/${name}.tsx`), name).toBe(true);
  }
});

test("filters in the page's address are in its data's address", async () => {
  const { body } = await anonymous.send('/?search=%20red%20kettle&minPrice=5&utm_source=x');
  const key = toUrl(listAds, { query: { search: 'red kettle', minPrice: '5' } });
  expect(bootOf(body).data[key]).toMatchObject({ total: 1 });
  expect(body).toContain('<meta name="robots" content="noindex" />');
});

test('a page of a search without a word asks for one above the latest ads', async () => {
  const { body } = await anonymous.send('/?search=!!!&minPrice=5');
  expect(Object.keys(bootOf(body).data)).toContain('/api/ads?minPrice=5');
  expect(Object.keys(bootOf(body).data)).not.toContain(toUrl(listAds, { query: { search: '!!!', minPrice: '5' } }));
});

test('a page with a filter that no list takes still opens', async () => {
  const { status, body } = await anonymous.send('/?minPrice=lots');
  expect(status).toBe(200);
  expect(Object.keys(bootOf(body).data)).not.toContain('/api/ads?minPrice=lots');
});

test("an ad's page has its card, price in the title, JSON-LD and canonical address", async () => {
  const { body } = await anonymous.send(`/ads/${ad.id}?fbclid=1`);
  expect(body).toContain('<title>Red &quot;kettle&quot; &lt;/script&gt;&lt;script&gt;x – $1,200 | Tradepost</title>');
  expect(body).toContain(`<link rel="canonical" href="${url}/ads/${ad.id}" />`);
  expect(metaOf(body, 'twitter:card')).toBe('summary_large_image');
  expect(metaOf(body, 'og:image')).toBe(`${url}${ad.imageUrls[0]?.replace('full', 'card')}`);
  expect([metaOf(body, 'og:image:width'), metaOf(body, 'og:image:height')]).toEqual(['1200', '600']);
  expect([metaOf(body, 'twitter:site'), metaOf(body, 'twitter:creator')]).toEqual(['@shop', '@maya']);
  expect(metaOf(body, 'description')).toBe('Boils $&amp; water');
  const [product] = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) =>
    JSON.parse(json),
  );
  expect(product).toMatchObject({
    '@type': 'Product',
    name: ad.title,
    offers: { price: '1200.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
  });
  expect(bootOf(body).data[`/api/ads/${ad.id}`]).toMatchObject({ id: ad.id, title: ad.title });
});

test("the page's chunk and picture are fetched ahead, what index.html loads already is not named twice", async () => {
  const { body } = await anonymous.send(`/ads/${ad.id}`);
  const modules = [...body.matchAll(/rel="modulepreload" crossorigin="anonymous" href="([^"]+)"/g)].map(
    ([, href]) => href,
  );
  expect(modules).toEqual(['/assets/ad-detail-1.js', '/assets/card-1.js']);
  const [cover] = ad.images;
  expect(body).toContain(
    `<link rel="preload" as="image" href="${cover?.url}" imagesrcset="${cover?.thumbUrl} 400w, ${cover?.url} 640w" imagesizes="${GALLERY_SIZES}" fetchpriority="high" />`,
  );
});

test('a page that begins with a photo contains its styles, each other page loads them', async () => {
  const withPhoto = await anonymous.send(`/ads/${ad.id}`);
  const [, nonce, text] = /<style nonce="([^"]+)">([^<]*)<\/style>/.exec(withPhoto.body) ?? [];
  expect(text).toBe(STYLES);
  expect(withPhoto.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
  expect(withPhoto.body).not.toContain('rel="stylesheet"');
  const { body } = await anonymous.send('/how-it-works');
  expect(body).toContain('<link rel="stylesheet" crossorigin href="/assets/index-1.css">');
  expect(body).not.toContain('<style');
});

test('the policy knows the inline script by its hash and styles by a nonce that is in the page', async () => {
  const { headers, body } = await anonymous.send('/how-it-works');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain(
    `script-src 'self' 'sha256-${createHash('sha256').update('\nlet a = 1;\n').digest('base64')}';`,
  );
  const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1];
  expect(body).toContain(`<meta property="csp-nonce" content="" nonce="${nonce}" />`);
  expect(policy.match(/'unsafe-[a-z]+'/g)).toEqual(["'unsafe-inline'"]);
  expect(policy).toContain("style-src-attr 'unsafe-inline'");
});

test("what is not there answers 404 with the site's page", async () => {
  for (const path of [
    '/nowhere',
    '/ads/999999',
    '/ads/abc',
    '/ads/%00',
    '/users/nobody_here',
    '/ads/1/2/3',
    '/%E0%A4%A',
  ]) {
    const { status, headers, body } = await anonymous.send(path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(bootOf(body).me).toBeNull();
  }
});

test('what a page is about and is not there is told along with it, so that it is drawn as missing and not asked for', async () => {
  const missingOn = async (path: string) => bootOf((await anonymous.send(path)).body).missing;
  expect(await missingOn('/ads/999999')).toEqual(['/api/ads/999999']);
  const target = { params: { username: 'nobody_here' }, query: { status: 'active' } } as const;
  expect(await missingOn('/users/nobody_here')).toEqual([toUrl(getProfile, target)]);
  for (const path of [`/ads/${ad.id}`, '/users/maya', '/nowhere']) expect(await missingOn(path)).toBeUndefined();
});

test('an address that looks like a file gets a browser the one not-found page, without a query', async () => {
  const open = (path: string) => anonymous.send<string>(path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
  const first = await open('/index.php');
  expect([first.status, first.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(first.body).toContain('<title>Page Not Found | Tradepost</title>');
  let queries = 0;
  const count = () => queries++;
  app.db.on('query', count);
  const paths = ['/wp-login.php?search=x', '/users/maya.jpg', '/a/b.asp'];
  const pages = await Promise.all(paths.map(open));
  app.db.removeListener('query', count);
  expect(pages.map(({ status, body }) => [status, body.includes('Page Not Found')])).toEqual(
    paths.map(() => [404, true]),
  );
  expect(queries).toBeLessThanOrEqual(3);
  for (const path of ['/robots.txt', '/sitemap.xml', '/feed.atom']) expect((await open(path)).status).toBe(200);
  expect((await open('/assets/old-1.js')).body).toMatchObject({ code: 'not_found' });
});

test('a missing file is no page', async () => {
  for (const path of ['/assets/old-1.js', '/wp-login.php', '/.env.txt'])
    expect([path, (await anonymous.send(path)).body.code]).toEqual([path, 'not_found']);
});

test('a hidden ad is a page to its owner alone', async () => {
  const hidden = await seller.ok(createAd, { body: adBody() });
  await app.db('ads').where({ id: hidden.id }).update({ state: 'inactive' });
  const { status, body } = await anonymous.send(`/ads/${hidden.id}`);
  expect([status, body.includes(hidden.title)]).toEqual([404, false]);
  const own = await seller.send(`/ads/${hidden.id}`);
  expect([own.status, bootOf(own.body).me?.username]).toEqual([200, 'maya']);
  expect(own.body).toContain('content="noindex"');
});

test('a signed-in person gets a page of their own, with what the navbar needs', async () => {
  const { body, headers } = await seller.send('/');
  expect(bootOf(body).me).toMatchObject({ username: 'maya', displayName: 'Maya <b>' });
  expect(bootOf(body).data['/api/messages/unread-count']).toEqual({ unreadCount: 0 });
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect((await anonymous.send('/')).body).not.toContain(
    '"username":"maya","displayName":"Maya <b>","avatar":null,"role"',
  );
});

test('visitors share a rendering for a second, compressed; 304 when they have it', async () => {
  const first = await vi.waitFor(async () => {
    // on a busy machine the second may be over between the two
    const response = await anonymous.send('/terms-of-service', { headers: { 'Accept-Encoding': 'br' } });
    const again = await anonymous.send('/terms-of-service', {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
    });
    const policies = [again, response].map(({ headers }) => headers.get('content-security-policy'));
    expect([again.status, policies[0]]).toEqual([304, policies[1]]);
    return response;
  });
  expect(first.headers.get('content-encoding')).toBe('br');
  expect(first.headers.get('vary')).toBe('Accept-Encoding, Cookie');
});

test("looking at an ad's page counts one view, for each person, not for each rendering", async () => {
  const fresh = await seller.ok(createAd, { body: adBody() });
  const views = async () => {
    await getViewCounter(app).flush();
    return (await anonymous.send(`/api/ads/${fresh.id}`)).body.views;
  };
  const looks = (agent: string, method = 'GET') =>
    anonymous.send(`/ads/${fresh.id}`, { method, headers: { 'User-Agent': agent } });
  await looks('Firefox/1');
  await looks('Firefox/1');
  await (await signIn((await insertUser(app)).id)).send(`/ads/${fresh.id}`, { headers: { 'User-Agent': 'Firefox/2' } });
  await looks('Firefox/3', 'HEAD');
  await looks('Twitterbot/1.0');
  expect(await views()).toBe(2);
});

test('the change of an ad is on its page within the second that renderings live', async () => {
  const fresh = await seller.ok(createAd, { body: adBody() });
  await anonymous.send(`/ads/${fresh.id}`);
  await seller.ok(updateAd, { params: { id: fresh.id }, body: adBody({ title: 'Blue kettle' }) });
  await expect.poll(async () => (await anonymous.send(`/ads/${fresh.id}`)).body).toContain('Blue kettle');
});

test('browsers revalidate the service worker, which serves the whole site and may call its API only', async () => {
  const { status, headers } = await anonymous.send('/service-worker.js');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'; img-src 'self'");
  const page = (await anonymous.send('/')).headers.get('content-security-policy');
  for (const part of ["worker-src 'self'", "connect-src 'self'", "manifest-src 'self'"]) expect(page).toContain(part);
});

test('hashed assets are immutable and served compressed', async () => {
  const { headers } = await anonymous.send('/assets/home-1.js', { headers: { 'Accept-Encoding': 'gzip' } });
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([
    'text/javascript; charset=utf-8',
    'Accept-Encoding',
  ]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('feeds are well-formed, whatever is searched for and however a seller is called', async () => {
  await app.db('users').where({ username: 'maya' }).update({ display_name: 'Ma\u0007ya' });
  for (const path of [
    '/feed.atom',
    '/feed.atom?search=%1B[31m',
    '/feed.atom?category=%00%0B%EF%BF%BE',
    '/feed.atom?search=%ED%A0%80',
  ]) {
    const { status, body } = await anonymous.send(path);
    expect([200, 400, 404]).toContain(status);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be absent
    expect(String(body)).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
  }
  await app.db('users').where({ username: 'maya' }).update({ display_name: 'Maya <b>' });
});

test('robots.txt, sitemaps and feeds lead to public ads only', async () => {
  const hidden = await seller.ok(createAd, { body: adBody({ title: 'Hidden thing' }) });
  await app.db('ads').where({ id: hidden.id }).update({ state: 'inactive' });
  expect((await anonymous.send('/robots.txt')).body).toContain(`Sitemap: ${url}/sitemap.xml`);
  const index = (await anonymous.send('/sitemap.xml')).body;
  const files = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc.replace(url, ''));
  expect(files).toEqual(['/sitemap-pages.xml', '/sitemap-ads-0.xml']);
  const ads = (await anonymous.send('/sitemap-ads-0.xml')).body;
  expect(ads).toContain(`<loc>${url}/ads/${ad.id}</loc>`);
  expect(ads).not.toContain(`/ads/${hidden.id}<`);
  expect((await anonymous.send('/sitemap-pages.xml')).body).toContain('/categories?category=home-garden<');
  expect((await anonymous.send('/sitemap-ads-7.xml')).status).toBe(404);
  const feed = await anonymous.send('/feed.atom?search=red+kettle');
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(feed.body).toContain(`<id>${url}/ads/${ad.id}</id>`);
  expect(feed.body).not.toContain('</script>');
});

test('one address a page: a trailing slash is sent away, but never to another host', async () => {
  const moved = await anonymous.send('/categories/?category=Books');
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/categories?category=Books']);
  expect((await anonymous.send('//evil.test/')).status).toBe(404);
});

test.each(['/users/@maya', '/users/%40maya', '/users/@maya/'])('%s leads to the profile', async (path) => {
  const moved = await anonymous.send(`${path}?status=sold`);
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/users/maya?status=sold']);
});

test('starting and draining do not change what a page says', async () => {
  lifecycle.phase = 'draining';
  const { status, headers } = await anonymous.send('/');
  lifecycle.phase = 'ready';
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
});

test('a profile page names its owner and escapes them', async () => {
  const { body } = await anonymous.send('/users/maya');
  expect(body).toContain('<title>Maya &lt;b&gt; (@maya) | Tradepost</title>');
  expect(
    bootOf(body).data[toUrl(getProfile, { params: { username: 'maya' }, query: { status: 'active' } })],
  ).toMatchObject({ next: null });
});

test('the page of a category has the list in the order of its address', async () => {
  const html = await (await fetch(`${url}/categories?category=appliances&sort=price_asc`)).text();
  const query = { category: 'appliances', sort: 'price_asc' } as const;
  expect(bootOf(html).data).toHaveProperty([toUrl(listAds, { query })]);
});

test.each(['/', '/categories'])(
  'a category at %s is one list: all filters, one title, one canonical address',
  async (path) => {
    const filtered = await (await fetch(`${url}${path}?category=appliances&maxPrice=9`)).text();
    const query = { category: 'appliances', maxPrice: '9' } as const;
    expect(bootOf(filtered).data).toHaveProperty([toUrl(listAds, { query })]);
    const html = await (await fetch(`${url}${path}?category=appliances&sort=price_asc`)).text();
    expect(html).toContain('<title>Appliances ads | Tradepost</title>');
    expect(html).toContain(`<link rel="canonical" href="${url}/categories?category=appliances"`);
  },
);
