import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAd, deleteAd, listAds } from '../../../contract/ads.ts';
import { toggleFavorite } from '../../../contract/favorites.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { startFakeS3 } from '../../../test/harness/fake-s3.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { writeMaintenance } from '../settings/repository.ts';
import { collectImages, deleteUnusedImages, storeImages, sweepImageStorage } from './files.ts';

const s3 = await startFakeS3('photos');
const directory = await mkdtemp(join(tmpdir(), 'images-'));
afterAll(() => Promise.all([s3.close(), rm(directory, { recursive: true })]));

const onS3 = await openTestApp({
  env: {
    IMAGE_STORE: 's3',
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: 'photos',
    S3_REGION: 'test-1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_FORCE_PATH_STYLE: 'true',
  },
});
const onFiles = await openTestApp({ env: { IMAGE_STORE: 'filesystem', IMAGE_DIR: directory } });
const inDatabase = await openTestApp();
beforeAll(async () => {
  for (const { app } of [onS3, onFiles, inDatabase]) await insertCategories(app);
});

const processPhoto = async ({ app }: typeof onS3, seed: number) =>
  app.images.process(await makePhoto({ width: 60, height: 60, seed }));
const age = ({ app }: typeof onS3) => app.db('images').update({ created_at: app.db.raw("now() - interval '2 hours'") });
const inTwoHours = { now: () => new Date(Date.now() + 2 * 3_600_000) };

test('while object storage is slow, sellers do not keep others from reading and writing', async () => {
  const { app, anonymous, signIn } = onS3;
  const { id } = await (await signIn((await insertUser(app)).id)).ok(createAd, { body: adBody() });
  const sellers = await Promise.all(
    Array.from({ length: 12 }, async (_, seed) => ({
      client: await signIn((await insertUser(app)).id),
      imageUrls: [toDataUrl(await makePhoto({ width: 60 + seed, height: 60, seed }))],
    })),
  );
  const saver = await signIn((await insertUser(app)).id);
  s3.delayPuts(3000);
  let posted = 0;
  const posts = sellers.map(async ({ client, imageUrls }) => {
    const { status } = await client.call(createAd, { body: adBody({ imageUrls }) });
    posted++;
    return status;
  });
  await vi.waitFor(async () => expect(await app.db('images')).toHaveLength(12), { timeout: 20_000 });
  const others = await Promise.all(
    Array.from({ length: 12 }, (_, i) => [
      saver.call(toggleFavorite, { params: { id } }),
      anonymous.call(listAds, { query: { minPrice: String(i) } }),
    ]).flat(),
  );
  expect(others.map(({ status }) => status)).toEqual(Array(24).fill(200));
  expect(posted).toBe(0);
  expect(await Promise.all(posts)).toEqual(Array(12).fill(201));
  s3.delayPuts(0);
});

test('while object storage fails, a photo is refused with a sentence that says what to do, and no ad is posted', async () => {
  const { app, signIn } = onS3;
  const user = await insertUser(app);
  const seller = await signIn(user.id);
  const imageUrls = [toDataUrl(await makePhoto({ width: 60, height: 60, seed: 99 }))];
  // of both objects, each with three retries
  s3.failNext(8);
  const { status, headers, body } = await seller.call(createAd, { body: adBody({ imageUrls }) });
  s3.failNext(0);
  expect([status, headers.get('Retry-After'), body.code, body.message]).toEqual([
    503,
    '3',
    'storage_unavailable',
    'The photos could not be stored. Please try again in a moment.',
  ]);
  expect(await app.db('ads').where({ user_id: user.id })).toEqual([]);
  expect((await seller.call(createAd, { body: adBody({ imageUrls }) })).status).toBe(201);
});

test('a name that nobody has stored costs one query, and nothing in object storage', async () => {
  const { app, anonymous } = onS3;
  const asked = vi.spyOn(app.imageStore, 'get');
  const queries: string[] = [];
  const note = ({ sql }: { sql: string }) => void queries.push(sql);
  app.db.on('query', note);
  expect((await anonymous.send(`/media/${'e'.repeat(64)}/card.jpg`)).status).toBe(404);
  app.db.off('query', note);
  expect([asked.mock.calls, queries]).toEqual([[], [expect.stringContaining('from images')]]);
  asked.mockRestore();
});

test('an upload of an image that is being deleted waits, and its objects are there afterwards', async () => {
  const { app } = onS3;
  const image = await processPhoto(onS3, 1);
  await storeImages(app, [image]);
  await age(onS3);
  const { promise: mayDelete, resolve: proceed } = Promise.withResolvers<void>();
  const deleting = vi.spyOn(app.imageStore, 'delete').mockImplementation(async (sha256) => {
    await mayDelete;
    for (const name of s3.objects.keys()) if (name.startsWith(sha256)) s3.objects.delete(name);
  });
  const sweep = deleteUnusedImages(app);
  await vi.waitFor(() => expect(deleting).toHaveBeenCalled());
  let isStored = false;
  const upload = storeImages(app, [image]).then(() => {
    isStored = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isStored).toBe(false);
  proceed();
  await Promise.all([sweep, upload]);
  deleting.mockRestore();
  for (const variant of ['full', 'thumb'] as const)
    expect(await app.imageStore.get({ sha256: image.sha256, variant })).toBeDefined();
});

test('what a crashed sweep has marked can be uploaded again and is swept again', async () => {
  const { app } = onFiles;
  const [uploaded, unused] = [await processPhoto(onFiles, 2), await processPhoto(onFiles, 3)];
  await storeImages(app, [uploaded, unused]);
  await age(onFiles);
  await app.db('images').update({ deleting_at: app.db.raw("now() - interval '11 minutes'") });
  await storeImages(app, [uploaded]);
  expect(await deleteUnusedImages(app)).toBe(1);
  expect(await app.imageStore.get({ sha256: uploaded.sha256, variant: 'full' })).toBeDefined();
  expect(await app.imageStore.get({ sha256: unused.sha256, variant: 'full' })).toBeUndefined();
});

test('an image that was stored within the last hour is not swept, whether its ad was posted or not', async () => {
  const { app } = onFiles;
  const image = await processPhoto(onFiles, 4);
  await storeImages(app, [image]);
  expect(await deleteUnusedImages(app)).toBe(0);
  expect(await sweepImageStorage({ ...app, clock: inTwoHours })).toBe(0);
  expect(await app.imageStore.get({ sha256: image.sha256, variant: 'full' })).toBeDefined();
});

test('objects without a row are swept an hour later, each image counted once', async () => {
  const { app } = onFiles;
  const orphans = ['a', 'b'].map((digit) => digit.repeat(64));
  for (const sha256 of orphans)
    for (const variant of ['full', 'thumb', 'card'] as const)
      await app.imageStore.put([{ sha256, variant, bytes: Buffer.from('orphan') }]);
  const later = { ...app, clock: inTwoHours };
  expect(await sweepImageStorage(app)).toBe(0);
  expect(await sweepImageStorage(later, true)).toBe(2);
  expect(await sweepImageStorage(later)).toBe(2);
  expect(await sweepImageStorage(later)).toBe(0);
  expect(await app.imageStore.get({ sha256: orphans[0]!, variant: 'card' })).toBeUndefined();
});

test('the database, where bytes go with their rows, is not searched for objects without a row', async () => {
  const list = vi.spyOn(inDatabase.app.imageStore, 'list');
  expect(await sweepImageStorage(inDatabase.app)).toBe(0);
  expect(list).not.toHaveBeenCalled();
});

test('the images of a deleted ad are swept from object storage', async () => {
  const { app, signIn } = onS3;
  const seller = await signIn((await insertUser(app)).id);
  const imageUrls = [toDataUrl(await makePhoto({ width: 60, height: 60, seed: 5 }))];
  const ad = await seller.ok(createAd, { body: adBody({ imageUrls }) });
  const sha256 = ad.imageUrls[0]!.split('/')[2]!;
  await seller.ok(deleteAd, { params: { id: ad.id } });
  await app
    .db('images')
    .where({ sha256: Buffer.from(sha256, 'hex') })
    .update({ created_at: app.db.raw("now() - interval '2 hours'") });
  expect(await deleteUnusedImages(app)).toBe(1);
  expect([...s3.objects.keys()].filter((name) => name.startsWith(sha256))).toEqual([]);
});

test('in maintenance mode the job deletes neither unused images nor objects that wait for their rows', async () => {
  const { app } = onFiles;
  const unused = await processPhoto(onFiles, 6);
  await storeImages(app, [unused]);
  await age(onFiles);
  const stored = [unused.sha256, 'c'.repeat(64)].map((sha256) => ({ sha256, variant: 'full' as const }));
  await app.imageStore.put([{ ...stored[1]!, bytes: Buffer.from('restored') }]);
  const later = { ...app, clock: inTwoHours };
  const maintenance = { message: null, retryAfter: 60, since: '2026-01-01T00:00:00.000Z' };
  await app.db.transaction((trx) => writeMaintenance(trx, maintenance));
  await collectImages(later);
  for (const key of stored) expect(await app.imageStore.get(key)).toBeDefined();
  await app.db.transaction((trx) => writeMaintenance(trx, null));
  await collectImages(later);
  for (const key of stored) expect(await app.imageStore.get(key)).toBeUndefined();
});
