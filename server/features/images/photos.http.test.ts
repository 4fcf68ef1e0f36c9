import { beforeAll, expect, test, vi } from 'vitest';
import { createAd, deleteAd, updateAd } from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { cleanUp } from '../../job-handlers.ts';
import { deleteUnusedImages } from './files.ts';
import { countUnusedImages } from './repository.ts';

const { app, anonymous, signIn } = await openTestApp();
beforeAll(() => insertCategories(app));

const createSeller = async (columns = {}) => {
  const { id } = await insertUser(app, columns);
  return Object.assign(await signIn(id), { id });
};
const smallPhoto = (seed: number) => makePhoto({ width: 320, height: 240, seed });
const countPhotos = async (userId: string) =>
  Number((await app.db('photos').where({ user_id: userId }).count())[0]!.count);
const makeOlder = async (table: 'photos' | 'images', hours: number) => {
  await app.db(table).update({ created_at: app.db.raw("created_at - ? * interval '1 hour'", [hours]) });
};

test('a photo is stored and shown before its ad exists; the ad then shows it by its address', async () => {
  const seller = await createSeller();
  const [first, second] = [
    await seller.ok(uploadPhoto, { body: await smallPhoto(1) }),
    await seller.ok(uploadPhoto, { body: await smallPhoto(2) }),
  ];
  expect(first).toEqual({
    url: expect.stringMatching(/^\/media\/[0-9a-f]{64}\/full\.jpg$/),
    thumbUrl: expect.stringMatching(/^\/media\/[0-9a-f]{64}\/thumb\.jpg$/),
    width: 320,
    height: 240,
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
  });
  expect((await anonymous.send(first.thumbUrl)).headers.get('content-type')).toBe('image/webp');
  const ad = await seller.ok(createAd, { body: adBody({ imageUrls: [second.url, first.url] }) });
  expect(ad.images).toEqual([second, first]);
});

test('an edit may mix photos of the ad, new ones and data URLs, as forms of the previous release send them', async () => {
  const seller = await createSeller();
  const sent = toDataUrl(await smallPhoto(3));
  const ad = await seller.ok(createAd, { body: adBody({ imageUrls: [sent] }) });
  const uploaded = await seller.ok(uploadPhoto, { body: await smallPhoto(4) });
  const imageUrls = [uploaded.url, toDataUrl(await smallPhoto(5)), ad.imageUrls[0]!];
  const edited = await seller.ok(updateAd, { params: { id: ad.id }, body: adBody({ imageUrls }) });
  expect(edited.imageUrls).toEqual([uploaded.url, expect.stringMatching(/^\/media\//), ad.imageUrls[0]]);
});

test('photos of another person are refused, although their address is public', async () => {
  const [owner, other] = [await createSeller(), await createSeller()];
  const { url } = await owner.ok(uploadPhoto, { body: await smallPhoto(6) });
  const { status, body } = await other.call(createAd, { body: adBody({ imageUrls: [url] }) });
  expect([status, body.code, body.fields]).toEqual([
    400,
    'invalid_image',
    { 'imageUrls.0': 'This photo is no longer available. Please add it again.' },
  ]);
  // the same picture belongs to both once both have sent it
  expect((await other.ok(uploadPhoto, { body: await smallPhoto(6) })).url).toBe(url);
  expect((await other.call(createAd, { body: adBody({ imageUrls: [url] }) })).status).toBe(201);
});

test('a copy of an ad shows its photos, also after the ad is gone; nobody else may use them', async () => {
  const [seller, other] = [await createSeller(), await createSeller()];
  const { url } = await seller.ok(uploadPhoto, { body: await smallPhoto(16) });
  const { id } = await seller.ok(createAd, { body: adBody({ imageUrls: [url] }) });
  expect((await other.call(createAd, { body: adBody({ imageUrls: [url] }) })).status).toBe(400);
  const copy = await seller.ok(createAd, { body: adBody({ imageUrls: [url] }) });
  await seller.ok(deleteAd, { params: { id } });
  await makeOlder('images', 2);
  await deleteUnusedImages(app);
  expect(copy.imageUrls).toEqual([url]);
  expect((await anonymous.send(url)).status).toBe(200);
  await seller.ok(deleteAd, { params: { id: copy.id } });
  expect((await seller.call(createAd, { body: adBody({ imageUrls: [url] }) })).status).toBe(400);
});

test('who may not post is refused before a byte is read', async () => {
  const process = vi.spyOn(app.images, 'process');
  const withoutHandle = await createSeller({ username: null });
  const answer = await withoutHandle.call(uploadPhoto, { body: await smallPhoto(7) });
  expect([answer.status, answer.body.message]).toEqual([403, 'Sign in with X to post ads']);
  expect((await anonymous.call(uploadPhoto, { body: await smallPhoto(7) })).status).toBe(401);
  expect(process).not.toHaveBeenCalled();
  process.mockRestore();
});

test.each([
  ['no picture', new Uint8Array([1, 2, 3]), 'image/jpeg', 400, 'invalid_image'],
  ['nothing', new Uint8Array(), 'image/jpeg', 400, 'invalid_image'],
  ['JSON', new Uint8Array([0x7b, 0x7d]), 'application/json', 415, 'unsupported_media_type'],
  ['a GIF', new Uint8Array(Buffer.from('GIF89a')), 'image/gif', 415, 'unsupported_media_type'],
  ['a file above 20 MB', new Uint8Array(LIMITS.photo + 1), 'image/jpeg', 413, 'payload_too_large'],
])('%s is refused', async (_name, body, type, status, code) => {
  const seller = await createSeller();
  const answer = await seller.call(uploadPhoto, { body, headers: { 'Content-Type': type } });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await countPhotos(seller.id)).toBe(0);
});

test('the content decides what a picture is, not the type that was sent with it', async () => {
  const seller = await createSeller();
  const headers = { 'Content-Type': 'image/webp' };
  expect((await seller.call(uploadPhoto, { body: await smallPhoto(8), headers })).status).toBe(201);
});

test('of a person only the newest photos are kept', async () => {
  const seller = await createSeller();
  const { url } = await seller.ok(uploadPhoto, { body: await smallPhoto(9) });
  await app.db.raw(
    `with made as (
       insert into images (sha256, width, height, color)
       select sha256(i::text::bytea), 1, 1, '#000000' from generate_series(1, ?::int) i returning sha256)
     insert into photos (user_id, sha256) select ?, sha256 from made`,
    [LIMITS.photos, seller.id],
  );
  await app
    .db('photos')
    .where({ user_id: seller.id, sha256: Buffer.from(url.split('/')[2]!, 'hex') })
    .update({
      created_at: app.db.raw("now() - interval '1 hour'"),
    });
  await seller.ok(uploadPhoto, { body: await smallPhoto(10) });
  expect(await countPhotos(seller.id)).toBe(LIMITS.photos);
  expect((await seller.call(createAd, { body: adBody({ imageUrls: [url] }) })).status).toBe(400);
});

test('after a day without an ad a photo is gone; one that an ad shows stays', async () => {
  const seller = await createSeller();
  const shown = await seller.ok(uploadPhoto, { body: await smallPhoto(11) });
  const ad = await seller.ok(createAd, { body: adBody({ imageUrls: [shown.url] }) });
  const unused = await seller.ok(uploadPhoto, { body: await smallPhoto(12) });
  await makeOlder('images', 30);
  await makeOlder('photos', LIMITS.photoHours - 1);
  await cleanUp(app);
  const unusedBefore = await countUnusedImages(app.db);
  expect(await countPhotos(seller.id)).toBe(1);
  await makeOlder('photos', 2);
  await cleanUp(app);
  expect(await countPhotos(seller.id)).toBe(0);
  expect(await countUnusedImages(app.db)).toBeGreaterThan(unusedBefore);
  const body = (imageUrls: string[]) => adBody({ imageUrls });
  expect((await seller.call(updateAd, { params: { id: ad.id }, body: body([unused.url]) })).status).toBe(400);
  expect((await seller.call(updateAd, { params: { id: ad.id }, body: body([shown.url]) })).status).toBe(200);
});

test('a photo that an ad has shown goes with the ad, and is for no later one', async () => {
  const seller = await createSeller();
  const { url } = await seller.ok(uploadPhoto, { body: await smallPhoto(14) });
  // a refused ad leaves it
  expect((await seller.call(createAd, { body: adBody({ imageUrls: [url], category: 'nonsense' }) })).status).toBe(400);
  const ad = await seller.ok(createAd, { body: adBody({ imageUrls: [url] }) });
  await seller.ok(deleteAd, { params: { id: ad.id } });
  expect((await seller.call(createAd, { body: adBody({ imageUrls: [url] }) })).status).toBe(400);
  await makeOlder('images', 2);
  await deleteUnusedImages(app);
  const sha256 = Buffer.from(url.split('/')[2]!, 'hex');
  expect(await app.db('images').where({ sha256 })).toEqual([]);
});

test('the export names unused photos, and they leave with the account', async () => {
  const seller = await createSeller();
  const { url } = await seller.ok(uploadPhoto, { body: await smallPhoto(13) });
  const document = (await seller.call(exportMyData)).body;
  expect(document.photos).toEqual([{ url, uploadedAt: expect.any(String) }]);
  await seller.ok(deleteMe);
  expect(await countPhotos(seller.id)).toBe(0);
});
