import { beforeAll, expect, test } from 'vitest';
import { createAd, getAd, listAds, updateAd } from '../../../contract/ads.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';

const CURRENCY = 'KWD';
const { app, url, anonymous, createPerson } = await openTestApp({ env: { CURRENCY, PRODUCT_FEED: 'on' } });
const seller = await createPerson({ ...SETTLED, username: 'salma' });
const ids: Record<string, string> = {};

beforeAll(async () => {
  await insertCategories(app);
  for (const price of ['1.235', '1.234', '12']) {
    const photo = await seller.client.ok(uploadPhoto, { body: await makePhoto({ width: 320, height: 240 }) });
    ({ id: ids[price] } = await seller.client.ok(createAd, { body: adBody({ price, imageUrls: [photo.url] }) }));
  }
});

const read = async (path: string, accept = '*/*'): Promise<string> =>
  (await fetch(url + path, { headers: { Accept: accept } })).text();

test('a price keeps its third decimal, is found by it and sorted by it', async () => {
  expect((await anonymous.ok(getAd, { params: { id: ids['1.234']! } })).price).toBe('1.234');
  const list = async (query: Record<string, string>) =>
    (await anonymous.ok(listAds, { query })).map(({ price }) => price);
  expect(await list({ sort: 'price_asc' })).toEqual(['1.234', '1.235', '12.000']);
  expect(await list({ sort: 'price_desc' })).toEqual(['12.000', '1.235', '1.234']);
  expect(await list({ minPrice: '1.235', sort: 'price_asc' })).toEqual(['1.235', '12.000']);
  expect(await list({ maxPrice: '1.234' })).toEqual(['1.234']);
});

test('a change of a thousandth is one, and a fourth decimal is refused', async () => {
  const params = { id: ids['12']! };
  const change = (price: string) => seller.client.call(updateAd, { params, body: adBody({ price }) });
  expect((await change('11.999')).body).toMatchObject({ price: '11.999' });
  const refused = await change('11.9999');
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('at most three decimals'),
  ]);
  expect((await anonymous.ok(getAd, { params })).price).toBe('11.999');
});

test('the page says it to people in full, and to search engines in numbers', async () => {
  const html = await read(`/ads/${ids['1.234']}`, 'text/html');
  expect(html).toMatch(/<title>Kettle \d+ – KWD\s1\.234 \|/);
  const things = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
    JSON.parse(json!),
  );
  expect(things.find((thing) => thing['@type'] === 'Product').offers).toMatchObject({
    price: '1.234',
    priceCurrency: CURRENCY,
  });
});

test('feeds name it', async () => {
  expect(await read('/feed.atom')).toMatch(/KWD\s1\.234\b/);
  expect(await read('/feed.products.tsv')).toContain('\t1.234 KWD\t');
});

test('the file of a person’s ads has it', async () => {
  const env = { DATABASE_URL: app.config.databaseUrl, PUBLIC_URL: url, CURRENCY };
  const { stdout, json } = await runCli('ad export --user @salma -o json', { env });
  expect(stdout).not.toBe('');
  expect(json().map((ad: { price: string; currency: string }) => [ad.price, ad.currency])).toContainEqual([
    '1.234',
    CURRENCY,
  ]);
  const csv = (await runCli('ad export --user @salma -o csv', { env })).stdout;
  expect(csv).toMatch(/,1\.234,KWD,/);
});
