import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import * as ads from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { AppError } from '../../errors.ts';
import { deleteUnusedImages, storeCard, sweepImageStorage } from '../../features/images/files.ts';
import { sniffFormat } from '../../integrations/images/formats.ts';

const { app, url, anonymous, signIn } = await openTestApp();
await insertCategories(app);
const seller = await signIn((await insertUser(app)).id);
const photo = await makePhoto({ width: 1600, height: 1200, orientation: 6, gps: true });
const { id, imageUrls, images } = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [toDataUrl(photo)] }) });
const path = imageUrls[0]!;
const sha256 = path.split('/')[2]!;
const fetchBytes = async (address: string, init?: RequestInit) => {
  const response = await fetch(url + address, init);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

test('a posted photograph is served upright, small and without its place', async () => {
  const { response, bytes } = await fetchBytes(path);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${sha256}-full"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': 'inline; filename="full.jpg"',
  });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 900 });
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  expect(images[0]).toMatchObject({ width: 1200, height: 900, thumbUrl: `/media/${sha256}/thumb.jpg` });
  const thumb = await fetchBytes(images[0]!.thumbUrl);
  expect(await sharp(thumb.bytes).metadata()).toMatchObject({ format: 'webp', width: 400 });
  expect(Object.fromEntries(thumb.response.headers)).toMatchObject({
    'content-type': 'image/webp',
    etag: `"${sha256}-thumb-webp"`,
    'content-disposition': 'inline; filename="thumb.webp"',
  });
});

test('the card for link previews is there at once, and stays once a job has stored it', async () => {
  const card = path.replace('full', 'card');
  expect(await sharp((await fetchBytes(card)).bytes).metadata()).toMatchObject({ width: 1200, height: 600 });
  await storeCard(app, sha256);
  expect(await app.imageStore.get({ sha256, variant: 'card' })).toBeDefined();
});

const medium = path.replace('full', 'medium');

test('where there is no room to make the image for telephones, the full one is answered and not kept', async () => {
  const busy = vi.spyOn(app.images, 'makeMedium').mockRejectedValue(new AppError('overloaded'));
  const { response, bytes } = await fetchBytes(medium);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200 });
  busy.mockRestore();
});

test('the image for telephones is made once, however many ask first, and kept', async () => {
  const made = vi.spyOn(app.images, 'makeMedium');
  const answers = await Promise.all(Array.from({ length: 8 }, () => fetchBytes(medium)));
  expect(made).toHaveBeenCalledTimes(1);
  for (const { response, bytes } of answers) {
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('etag')).toBe(`"${sha256}-medium-webp"`);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 800, height: 600 });
  }
  expect((await app.imageStore.get({ sha256, variant: 'medium' }))?.equals(answers[0]!.bytes)).toBe(true);
  expect((await fetchBytes(medium.replace(sha256, '0'.repeat(64)))).response.status).toBe(404);
});

test.each([
  ['thumb', 'makeThumb'],
  ['medium', 'makeMedium'],
] as const)(
  'a %s that an earlier release stored as JPEG is shown, and made again as soon as there is room',
  async (variant, maker) => {
    const posted = toDataUrl(await makePhoto({ width: 900, height: 600, seed: variant.length }));
    const ad = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [posted] }) });
    const name = ad.imageUrls[0]!.split('/')[2]!;
    const jpeg = await makePhoto({ width: 40, height: 30 });
    await app.imageStore.put([{ sha256: name, variant, bytes: jpeg }], 'replace');
    const show = async () => {
      const { response, bytes } = await fetchBytes(`/media/${name}/${variant}.jpg`);
      const { headers } = response;
      return [sniffFormat(bytes), ...['content-type', 'cache-control', 'etag'].map((header) => headers.get(header))];
    };
    const made = vi.spyOn(app.images, maker).mockRejectedValueOnce(new AppError('overloaded'));
    expect(await show()).toEqual(['jpeg', 'image/jpeg', 'no-store', `"${name}-${variant}"`]);
    for (const shown of await Promise.all([show(), show(), show()]))
      expect(shown).toEqual(['webp', 'image/webp', 'public, max-age=31536000, immutable', `"${name}-${variant}-webp"`]);
    expect(made).toHaveBeenCalledTimes(2);
    expect(sniffFormat((await app.imageStore.get({ sha256: name, variant }))!)).toBe('webp');
    made.mockRestore();
  },
);

test('an image that is deleted while its card is made ends the job quietly and leaves nothing', async () => {
  const other = toDataUrl(await makePhoto({ width: 90, height: 90, seed: 7 }));
  const ad = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [other] }) });
  const gone = ad.imageUrls[0]!.split('/')[2]!;
  const makeCard = async (full: Uint8Array) => {
    await app.db('ad_images').where({ ad_id: ad.id }).delete();
    await app
      .db('images')
      .where({ sha256: Buffer.from(gone, 'hex') })
      .delete();
    return app.images.makeCard(full);
  };
  await storeCard({ ...app, images: { ...app.images, makeCard } }, gone);
  expect(await app.imageStore.get({ sha256: gone, variant: 'card' })).toBeUndefined();
});

test('who has the image gets 304 without a body; HEAD gets the size without a body', async () => {
  for (const tag of [`"${sha256}-full"`, `W/"${sha256}-full"`, `"x", "${sha256}-full"`, '*']) {
    const { response, bytes } = await fetchBytes(path, { headers: { 'If-None-Match': tag } });
    expect([response.status, bytes.length]).toEqual([304, 0]);
  }
  const head = await fetchBytes(path, { method: 'HEAD' });
  expect([head.response.status, head.bytes.length]).toEqual([200, 0]);
  expect(Number(head.response.headers.get('content-length'))).toBeGreaterThan(1000);
});

test.each([
  `/media/${'0'.repeat(64)}/full.jpg`,
  `/media/${sha256}/original.jpg`,
  `/media/${sha256}/full.png`,
  `/media/${sha256.toUpperCase()}/full.jpg`,
  `/media/${sha256}/..%2ffull.jpg`,
  `/media/..%2f..%2fetc%2fpasswd`,
  `/media/${sha256}`,
  '/media/',
  `/media/${sha256}/full.jpg/`,
  `/media/%00/full.jpg`,
])('%s is 404 with the error JSON', async (address) => {
  const { status, body } = await anonymous.send(address);
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('an image cannot be written', async () => {
  expect((await seller.send(path, { method: 'DELETE' })).status).toBe(405);
});

test('a refused image leaves neither an ad nor an image behind', async () => {
  const before = await app.db('images').count();
  const svg = `data:image/png;base64,${Buffer.from('<svg onload=alert(1)>').toString('base64')}`;
  const other = toDataUrl(await makePhoto({ width: 90, height: 90, seed: 9 }));
  const { status, body } = await seller.call(ads.createAd, { body: adBody({ imageUrls: [other, svg] }) });
  expect([status, body.code, body.fields]).toEqual([
    400,
    'invalid_image',
    { 'imageUrls.1': 'The file is not a PNG image.' },
  ]);
  expect(await app.db('images').count()).toEqual(before);
});

test('images of an ad that was deleted are collected an hour later and forgotten by the cache', async () => {
  await seller.ok(ads.deleteAd, { params: { id } });
  expect(await deleteUnusedImages(app)).toBe(0);
  await app.db('images').update({ created_at: app.db.raw("now() - interval '2 hours'") });
  expect(await deleteUnusedImages(app)).toBe(1);
  await expect.poll(async () => (await fetchBytes(path)).response.status).toBe(404);
  expect(await sweepImageStorage(app)).toBe(0);
  expect(await app.db('image_blobs').where({ sha256: Buffer.from(sha256, 'hex') })).toEqual([]);
});

test('an image deleted while no process was there is not served from the disk cache of the next', async () => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'restarted-'));
  const gone = 'd'.repeat(64);
  await mkdir(join(cacheDir, 'media'));
  await writeFile(join(cacheDir, 'media', `${gone}.thumb.jpg`), 'an image');
  const restarted = await openTestApp({ env: { CACHE_DIR: cacheDir } });
  expect((await fetch(`${restarted.url}/media/${gone}/thumb.jpg`)).status).toBe(404);
  await expect.poll(() => readdir(join(cacheDir, 'media'))).toEqual([]);
  await rm(cacheDir, { recursive: true });
});
