import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { deleteAd } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import { listConversations, viewConversation } from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { uploadMessagePhoto, viewMessagePhoto } from '../../../contract/message-photos.ts';
import { listInbox, sendMessage } from '../../../contract/messages.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { createReport, getCase, listCases, viewCasePhoto } from '../../../contract/reports.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createPerson, make, meet, type Person } from '../../../test/harness/deals.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { cleanUp } from '../../job-handlers.ts';
import { deleteUnusedImages } from '../images/files.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000', LOCALES: 'en,de' } });
const { app, anonymous, signIn } = site;
beforeAll(() => insertCategories(app));

const small = (seed = 1, options = {}) => makePhoto({ width: 640, height: 480, seed, ...options });
const upload = async (person: Person, seed = 1) =>
  (await person.client.ok(uploadMessagePhoto, { body: await small(seed) })).id;
const send = (person: Person, other: { id: string }, adId: string, fields: object) =>
  person.client.call(sendMessage, { body: { adId, receiverId: other.id, ...fields } });
const look = async (client: Person['client'], id: string, size: 'thumb' | 'full' = 'thumb') =>
  (await client.call(viewMessagePhoto, { params: { id, size } })).status;
const nameOf = async (id: string): Promise<string> =>
  (await app.db('message_photos').where({ id }).first('sha256')).sha256.toString('hex');
const age = (table: 'message_photos' | 'images') =>
  app.db(table).update({ created_at: app.db.raw("created_at - interval '25 hours'") });

/** A buyer has sent two photos without a text. */
const meetWithPhotos = async () => {
  const met = await meet(site);
  const { buyer, seller, ad } = met;
  const ids = [await upload(buyer, 2), await upload(buyer, 1)];
  const { status, body } = await send(buyer, seller, ad.id, { imageIds: ids });
  expect(status).toBe(201);
  return { ...met, ids, message: body };
};

test('a message has text, photos in their order, or both, and the two people see them wherever they see the message', async () => {
  const { buyer, seller, ad, ids, message } = await meetWithPhotos();
  const photos = ids.map((id) => ({ id, width: 640, height: 480 }));
  expect(message).toMatchObject({ content: 'Sent 2 photos', photos, isWordless: true });
  const both = await send(seller, buyer, ad.id, { content: 'And this?', imageIds: [await upload(seller)] });
  expect(both.body).toMatchObject({ content: 'And this?', photos: [{ width: 640 }] });
  expect(both.body).not.toHaveProperty('isWordless');
  for (const [me, other] of [
    [buyer, seller],
    [seller, buyer],
  ] as const) {
    const { messages } = await me.client.ok(viewConversation, { params: { adId: ad.id, otherUserId: other.id } });
    expect(messages.map((one) => one.photos?.length)).toEqual([undefined, 2, 1]);
    expect(messages[1]!.photos).toEqual(photos);
    expect((await me.client.ok(listInbox))[ad.id]!.map((one) => one.photos?.length)).toEqual([1, 2, undefined]);
    for (const id of ids) expect([await look(me.client, id), await look(me.client, id, 'full')]).toEqual([200, 200]);
  }
  await send(seller, buyer, ad.id, { imageIds: [await upload(seller)] });
  const { lines } = await buyer.client.ok(listConversations);
  expect(lines[0]!.latest).toMatchObject({ content: 'Sent 1 photo', isWordless: true, photos: [{ width: 640 }] });
});

test('nobody else sees a photo: neither by its id nor at a public address, not even staff', async () => {
  const { buyer, seller, ids } = await meetWithPhotos();
  const stranger = await createPerson(site);
  const staff = [await insertUser(app, { role: 'admin' }), await insertUser(app, { role: 'moderator' })];
  const clients = [stranger.client, anonymous, ...(await Promise.all(staff.map(({ id }) => signIn(id))))];
  const unsent = await upload(buyer);
  for (const id of [...ids, unsent, '999999999'])
    for (const client of clients) expect(await look(client, id)).toBe(404);
  expect([await look(buyer.client, unsent), await look(seller.client, unsent)]).toEqual([200, 404]);
  for (const size of ['full', 'thumb', 'card', 'medium'])
    expect((await buyer.client.send(`/media/${await nameOf(ids[0]!)}/${size}.jpg`)).status).toBe(404);
});

test('its name does not follow from the picture, and the same picture in an ad is another image', async () => {
  const { buyer } = await meet(site);
  const body = await small(7);
  const ids = [];
  for (let i = 0; i < 2; i++) ids.push((await buyer.client.ok(uploadMessagePhoto, { body })).id);
  const { url } = await buyer.client.ok(uploadPhoto, { body });
  const names = [await nameOf(ids[0]!), await nameOf(ids[1]!), url.split('/')[2]];
  expect(new Set(names).size).toBe(3);
  const { bytes } = await app
    .db('image_blobs')
    .where({ sha256: Buffer.from(names[0]!, 'hex'), variant: 'full' })
    .first('bytes');
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(names[0]);
  expect((await buyer.client.send(url)).status).toBe(200);
});

test('only pixels remain of the file, and only the browser of who asked keeps it', async () => {
  const { buyer } = await meet(site);
  const body = await small(3, { gps: true, orientation: 6 });
  const { id, ...size } = await buyer.client.ok(uploadMessagePhoto, { body });
  const path = `/api/messages/photos/${id}/full`;
  const answer = await fetch(site.url + path, { headers: buyer.client.headers });
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  const file = Buffer.from(await answer.arrayBuffer());
  const { exif, format, width, height } = await sharp(file).metadata();
  expect({ exif, format, width, height }).toEqual({ exif: undefined, format: 'jpeg', ...size });
  expect(file.includes('Secret Author')).toBe(false);
  // without Cache-Control, fetch asks for a new copy
  const again = { 'If-None-Match': answer.headers.get('etag')!, 'Cache-Control': 'max-age=0' };
  const askAgain = async ({ client }: Person) =>
    (await fetch(site.url + path, { headers: { ...client.headers, ...again } })).status;
  expect(await askAgain(buyer)).toBe(304);
  expect(await askAgain(await createPerson(site))).toBe(404);
});

test('what is sent is checked: some of it, at most four, each once, one’s own, and not sent before', async () => {
  const { buyer, seller, ad, ids } = await meetWithPhotos();
  const own = [];
  for (let i = 0; i < 5; i++) own.push(await upload(buyer));
  const refused = async (fields: object) => {
    const { status, body } = await send(buyer, seller, ad.id, fields);
    return [status, Object.keys(body.fields ?? {})[0]];
  };
  expect(await refused({})).toEqual([400, 'content']);
  expect(await refused({ content: ' ', imageIds: [] })).toEqual([400, 'content']);
  expect(await refused({ imageIds: own })).toEqual([400, 'imageIds']);
  expect(await refused({ imageIds: [own[0], own[0]] })).toEqual([400, 'imageIds']);
  expect(await refused({ imageIds: [own[0], ids[0]] })).toEqual([400, 'imageIds']);
  expect(await refused({ imageIds: [await upload(seller)] })).toEqual([400, 'imageIds']);
  expect(await refused({ imageIds: ['999999999'] })).toEqual([400, 'imageIds']);
  expect((await send(buyer, seller, ad.id, { imageIds: own.slice(0, 4) })).status).toBe(201);
});

test('photos alone are no text that is sent to too many people', async () => {
  const { seller, ad, buyers } = await meet(site, { buyerCount: 6 });
  for (const buyer of buyers)
    expect((await send(seller, buyer, ad.id, { imageIds: [await upload(seller)] })).status).toBe(201);
});

test('a request that is repeated with its key sends the photos once', async () => {
  const { buyer, seller, ad } = await meet(site);
  const body = { adId: ad.id, receiverId: seller.id, imageIds: [await upload(buyer)] };
  const headers = { 'Idempotency-Key': 'photos-once-1' };
  const [first, second] = [
    await buyer.client.call(sendMessage, { body, headers }),
    await buyer.client.call(sendMessage, { body, headers }),
  ];
  expect(second.body).toEqual(first.body);
});

test('who is blocked sends none; what was sent before stays with the conversation, also of a deleted ad', async () => {
  const { buyer, seller, ad, ids } = await meetWithPhotos();
  await seller.client.ok(blockUser, { params: { userId: buyer.id } });
  const waiting = await upload(buyer);
  expect((await send(buyer, seller, ad.id, { imageIds: [waiting] })).status).toBe(403);
  await seller.client.call(deleteAd, { params: { id: ad.id } });
  expect([await look(seller.client, ids[0]!), await look(buyer.client, ids[0]!)]).toEqual([200, 200]);
  expect(await look(seller.client, waiting)).toBe(404);
});

test('an unsent photo is gone after a day, a sent one with its message, and their images after them', async () => {
  const { buyer, seller, ids, message } = await meetWithPhotos();
  const unsent = await upload(buyer);
  const [sentName, unsentName] = [await nameOf(ids[0]!), await nameOf(unsent)];
  const images = async () => {
    await age('images');
    await deleteUnusedImages(app);
    const left = await app.db('images').where({ is_private: true }).pluck('sha256');
    return [sentName, unsentName].map((name) => left.some((sha256) => sha256.toString('hex') === name));
  };
  expect(await images()).toEqual([true, true]);
  await age('message_photos');
  await cleanUp(app);
  expect(await images()).toEqual([true, false]);
  expect([await look(buyer.client, unsent), await look(seller.client, ids[0]!)]).toEqual([404, 200]);
  await app.db('messages').where({ id: message.id }).delete();
  expect(await images()).toEqual([false, false]);
});

test('the sweep of a replica of the release before spares them', async () => {
  const { ids } = await meetWithPhotos();
  const sha256 = Buffer.from(await nameOf(ids[0]!), 'hex');
  await app.db('images').where({ sha256 }).update({ deleting_at: app.db.fn.now() });
  expect(await app.db('images').where({ sha256 }).first('deleting_at')).toEqual({ deleting_at: null });
});

test('of one person the newest unsent photos are kept', async () => {
  const { buyer } = await meet(site);
  const sha256 = app.db('images').select('sha256').limit(1);
  for (let i = 0; i < LIMITS.unsentPhotos; i++) await app.db('message_photos').insert({ user_id: buyer.id, sha256 });
  const newest = await upload(buyer);
  const kept = await app.db('message_photos').where({ user_id: buyer.id }).pluck('id');
  expect([kept.length, kept.includes(newest)]).toEqual([LIMITS.unsentPhotos, true]);
});

test('staff see the photos of a reported message in its case, and of no other', async () => {
  const { buyer, seller, ad, ids, message } = await meetWithPhotos();
  const later = await upload(buyer);
  await send(buyer, seller, ad.id, { imageIds: [later] });
  await seller.client.ok(createReport, { body: { targetType: 'message', targetId: message.id, reason: 'offensive' } });
  const moderator = await signIn((await insertUser(app, { role: 'moderator' })).id);
  const { id } = (await moderator.ok(listCases)).at(-1)!;
  const { reported } = await moderator.ok(getCase, { params: { id } });
  expect(reported.messages.at(-1)!.photos).toEqual(ids.map((photo) => ({ id: photo, width: 640, height: 480 })));
  const see = async (client: Person['client'], photoId: string) =>
    (await client.call(viewCasePhoto, { params: { id, photoId, size: 'full' } })).status;
  expect([await see(moderator, ids[0]!), await see(moderator, later)]).toEqual([200, 404]);
  expect([await see(seller.client, ids[0]!), await see(anonymous, ids[0]!)]).toEqual([403, 401]);
  await app.db('message_photos').where({ message_id: message.id }).delete();
  await age('images');
  await deleteUnusedImages(app);
  expect(await see(moderator, ids[0]!), 'the case has a copy').toBe(200);
});

test('a copy of one’s data names the photos; those that were sent stay when the account goes', async () => {
  const { buyer, seller, ids } = await meetWithPhotos();
  const unsent = await upload(buyer);
  const { messages } = (await buyer.client.ok(exportMyData)) as { messages: { photos: string[] }[] };
  expect(messages.at(-1)!.photos).toEqual(ids.map((id) => `/api/messages/photos/${id}/full`));
  await buyer.client.call(deleteMe);
  expect(await app.db('message_photos').where({ user_id: buyer.id }).orderBy('id').pluck('id')).toEqual(ids);
  expect(await app.db('message_photos').where({ id: unsent })).toEqual([]);
  expect(await look(seller.client, ids[0]!)).toBe(200);
});

test('staff read in their language what a message without a text of its own is', async () => {
  const { buyer, seller, ad, message } = await meetWithPhotos();
  const { body: offered } = await make(buyer, ad.id, seller, '1200');
  const moderator = await signIn((await insertUser(app, { role: 'moderator' })).id);
  const readIn = async (language: string, targetId: string) => {
    const [{ id } = {}] = await app
      .db('moderation_cases')
      .where({ target_id: targetId, decided_at: null })
      .select('id');
    const headers = { 'Accept-Language': language };
    const { title, reported } = await moderator.ok(getCase, { params: { id }, headers });
    return { title, text: reported.text, messages: reported.messages.slice(-2).map(({ content }) => content) };
  };
  for (const { id } of [message, offered])
    await seller.client.ok(createReport, { body: { targetType: 'message', targetId: id, reason: 'scam' } });
  expect(await readIn('en', message.id)).toMatchObject({ title: 'Sent 2 photos', text: 'Sent 2 photos' });
  expect(await readIn('de', message.id)).toMatchObject({ title: '2 Fotos gesendet', text: '2 Fotos gesendet' });
  expect(await readIn('en', offered.id)).toEqual({
    title: 'Offer: $1,200',
    text: 'Offer: $1,200',
    messages: ['Sent 2 photos', 'Offer: $1,200'],
  });
  expect(await readIn('de', offered.id)).toEqual({
    title: 'Preisvorschlag: 1.200\u00a0$',
    text: 'Preisvorschlag: 1.200\u00a0$',
    messages: ['2 Fotos gesendet', 'Preisvorschlag: 1.200\u00a0$'],
  });
});
