import { beforeAll, expect, test } from 'vitest';
import { createAd, setAdPaused } from '../../../contract/ads.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { openAdFile } from '../../features/imports/read-ads.ts';

const { app, url, signIn, anonymous } = await openTestApp({ env: { PRODUCT_FEED: 'on' } });
const off = await openTestApp();
beforeAll(() => insertCategories(app));

const createSeller = async (username: string) => {
  const { id } = await insertUser(app, { ...SETTLED, username });
  const client = await signIn(id);
  const photo = await client.ok(uploadPhoto, { body: await makePhoto({ width: 320, height: 240, seed: Number(id) }) });
  return { client, photo };
};

const readFeed = async (text: string) => {
  const file = await openAdFile(
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  const ads = [];
  for await (const ad of file.ads({})) ads.push(ad);
  return { format: file.format.name, ads };
};

test('lists what is for sale and has a photo, in both forms, whole and by seller, and not again unless it changed', async () => {
  const [ann, bob] = [await createSeller('ann'), await createSeller('bob')];
  const hard = {
    title: 'A "quoted"\tlamp & <more>',
    description: 'Two\nlines, "so"',
    price: '12.5',
    condition: 'new',
  } as const;
  const { id } = await ann.client.ok(createAd, { body: adBody({ ...hard, imageUrls: [ann.photo.url] }) });
  await ann.client.ok(createAd, { body: adBody({ title: 'Without a photo' }) });
  await bob.client.ok(createAd, {
    body: adBody({ title: 'A gift', price: '0', priceType: 'free', imageUrls: [bob.photo.url] }),
  });
  const chair = await bob.client.ok(createAd, { body: adBody({ title: 'Chair', imageUrls: [bob.photo.url] }) });
  for (const form of ['tsv', 'rss']) {
    const response = await anonymous.send(`/feed.products.${form}`);
    expect(response.headers.get('content-type')).toMatch(
      form === 'tsv' ? /^text\/tab-separated-values/ : /^application\/rss\+xml/,
    );
    const { format, ads } = await readFeed(response.body);
    expect(format).toBe('google');
    expect(ads).toMatchObject([
      {
        externalId: id,
        title: 'A "quoted" lamp & <more>',
        description: 'Two\nlines, "so"',
        price: '12.50',
        currency: 'USD',
        condition: 'new',
        externalLink: null,
        imageUrls: [url + ann.photo.url],
      },
      { externalId: chair.id, title: 'Chair', condition: 'good' },
    ]);
    const own = await readFeed((await anonymous.send(`/feed.products.${form}?seller=Bob`)).body);
    expect(own.ads.map(({ title }) => title)).toEqual(['Chair']);
    const headers = { 'If-None-Match': response.headers.get('etag')! };
    expect((await anonymous.send(`/feed.products.${form}`, { headers })).status).toBe(304);
    await bob.client.ok(setAdPaused, { params: { id: chair.id }, body: { paused: true } });
    expect((await anonymous.send(`/feed.products.${form}`, { headers })).status).toBe(200);
    await bob.client.ok(setAdPaused, { params: { id: chair.id }, body: { paused: false } });
  }
  expect((await anonymous.send('/feed.products.tsv?seller=nobody')).status).toBe(404);
});

test('another version of an older ad, and another name of a category as it is written there, are a change', async () => {
  const { client, photo } = await createSeller('kim');
  const body = (title: string) => adBody({ title, imageUrls: [photo.url] });
  const older = await client.ok(createAd, { body: body('Older') });
  await client.ok(createAd, { body: body('Newer') });
  const read = async () => (await anonymous.send('/feed.products.tsv')).headers.get('etag')!;
  const isKnown = async (etag: string) =>
    (await anonymous.send('/feed.products.tsv', { headers: { 'If-None-Match': etag } })).status === 304;
  const first = await read();
  expect(await isKnown(first)).toBe(true);
  await app
    .db('ads')
    .where({ id: older.id })
    .update({ updated_at: app.db.raw("updated_at - interval '1 ms'") });
  expect(await isKnown(first)).toBe(false);
  const second = await read();
  const { id } = (await app.db('categories').orderBy('id').first())!;
  const [language] = app.config.locales;
  await app.db('category_names').insert({ category_id: id, language, name: 'Otherwise' });
  expect(await isKnown(second)).toBe(false);
});

test('is off unless the operator switched it on', async () => {
  expect((await off.anonymous.send('/feed.products.tsv')).status).toBe(404);
});
