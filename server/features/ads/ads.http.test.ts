import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../../contract/ads.ts';
import { getSiteStats } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { getViewCounter } from './view-counter.ts';

const { app, anonymous, signIn } = await openTestApp();
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(app));

const createSeller = async (columns = {}) => {
  const user = await insertUser(app, columns);
  return { user, client: await signIn(user.id) };
};

const smallPhoto = (seed: number) => makePhoto({ width: 320, height: 240, seed });

describe('posting an ad', () => {
  test('stores what was sent, under the signed-in seller, and makes it public at once', async () => {
    const { user, client } = await createSeller();
    const body = adBody({ title: '  Red  kettle ', price: 9.5, category: 'Home & Garden', location: 'Lyon' });
    const ad = await client.ok(api.createAd, { body: { ...body, userId: '1' } as typeof body });
    expect(ad).toMatchObject({
      userId: user.id,
      title: 'Red  kettle',
      price: '9.50',
      category: 'Home & Garden',
      categorySlug: 'home-garden',
      location: 'Lyon',
      isActive: true,
      isSold: false,
      state: 'active',
      views: 0,
      postedToX: false,
      user: { username: user.username },
    });
    const seen = await anonymous.ok(api.getAd, { params: { id: ad.id } });
    expect(seen.title).toBe('Red  kettle');
    expect(seen).not.toHaveProperty('state');
    expect((await anonymous.ok(api.listAds)).map(({ id }) => id)).toContain(ad.id);
  });

  test('keeps the images in their order and serves both sizes', async () => {
    const { client } = await createSeller();
    const photos = [await smallPhoto(1), await smallPhoto(2)];
    const ad = await client.ok(api.createAd, { body: adBody({ imageUrls: photos.map((p) => toDataUrl(p)) }) });
    expect(ad.imageUrls).toHaveLength(2);
    expect(ad.images[0]).toMatchObject({ url: ad.imageUrls[0], width: 320, height: 240 });
    const { rows } = await app.db.raw('select variant, octet_length(bytes) as size from image_blobs order by 1');
    expect(rows.map((row: { variant: string }) => row.variant)).toEqual(['full', 'full', 'thumb', 'thumb']);
  });

  test('is refused with the field that is wrong', async () => {
    const { client } = await createSeller();
    const fieldsOf = async (fields: object) => (await client.call(api.createAd, { body: adBody(fields) })).body.fields;
    expect(await fieldsOf({ title: ' ' })).toEqual({ title: 'Title is required' });
    expect(await fieldsOf({ category: 'starships' })).toEqual({ category: 'Unknown category' });
    expect(await fieldsOf({ imageUrls: ['https://evil.example/x.jpg'] })).toHaveProperty(['imageUrls.0']);
    expect(await fieldsOf({ imageUrls: ['data:image/png;base64,AAAA'] })).toHaveProperty(['imageUrls.0']);
  });

  test('leaves nothing behind when one of its images is broken', async () => {
    const { user, client } = await createSeller();
    const before = await app.db('images').count();
    const imageUrls = [toDataUrl(await smallPhoto(77)), 'data:image/jpeg;base64,/9j/AAAA'];
    const { status, body } = await client.call(api.createAd, { body: adBody({ imageUrls }) });
    expect([status, body.code]).toEqual([400, 'invalid_image']);
    expect(await app.db('ads').where({ user_id: user.id })).toEqual([]);
    expect(await app.db('images').count()).toEqual(before);
  });

  test('drops the external link of those who may not have one, and shows it of those who may', async () => {
    const link = { externalLink: 'https://shop.example/1' };
    const plain = await createSeller();
    const trusted = await createSeller({ can_link_out: true });
    const dropped = await plain.client.ok(api.createAd, { body: adBody(link) });
    expect(dropped.externalLink).toBeNull();
    await app.db('users').where({ id: plain.user.id }).update({ can_link_out: true });
    expect(await anonymous.ok(api.getAd, { params: { id: dropped.id } })).toMatchObject({ externalLink: null });
    const ad = await trusted.client.ok(api.createAd, { body: adBody(link) });
    expect(ad.externalLink).toBe(link.externalLink);
    await app.db('users').where({ id: trusted.user.id }).update({ can_link_out: false });
    expect((await anonymous.ok(api.getAd, { params: { id: ad.id } })).externalLink).toBeNull();
  });

  test('twice with one Idempotency-Key makes one ad', async () => {
    const { user, client } = await createSeller();
    const call = () =>
      client.call(api.createAd, { body: adBody({ title: 'Once' }), headers: { 'Idempotency-Key': 'key-12345678' } });
    const first = await client.call(api.createAd, {
      body: adBody({ title: 'Once' }),
      headers: { 'Idempotency-Key': 'key-12345678' },
    });
    const again = await call();
    expect(again.body.id).toBe(first.body.id);
    expect(await app.db('ads').where({ user_id: user.id })).toHaveLength(1);
  });

  test('needs a handle: an administrator with a password only cannot post', async () => {
    const { client } = await createSeller({ username: null, role: 'admin' });
    expect((await client.call(api.createAd, { body: adBody() })).status).toBe(403);
  });
});

describe('editing an ad', () => {
  test('changes it, keeps chosen images in the chosen order and adds new ones', async () => {
    const { client } = await createSeller();
    const photos = [toDataUrl(await smallPhoto(3)), toDataUrl(await smallPhoto(4))];
    const ad = await client.ok(api.createAd, { body: adBody({ imageUrls: photos }) });
    const [first, second] = ad.imageUrls as [string, string];
    const imageUrls = [second, toDataUrl(await smallPhoto(5)), first];
    const edited = await client.ok(api.updateAd, {
      params: { id: ad.id },
      body: adBody({ title: 'New title', imageUrls }),
    });
    expect(edited.title).toBe('New title');
    expect(edited.imageUrls).toEqual([second, expect.stringMatching(/^\/media\//), first]);
  });

  test('makes a card of a photo that becomes the first', async () => {
    const { client } = await createSeller();
    const photos = [toDataUrl(await smallPhoto(21)), toDataUrl(await smallPhoto(22))];
    const ad = await client.ok(api.createAd, { body: adBody({ imageUrls: photos }) });
    const [first, second] = ad.imageUrls as [string, string];
    await client.ok(api.updateAd, { params: { id: ad.id }, body: adBody({ imageUrls: [second, first] }) });
    const keys = await app.db('graphile_worker.jobs').where({ task_identifier: 'store-card' }).pluck('key');
    expect(keys).toEqual(expect.arrayContaining([first, second].map((url) => `card ${url.split('/')[2]}`)));
  });

  test("takes no other ad's images", async () => {
    const { client } = await createSeller();
    const other = await client.ok(api.createAd, { body: adBody({ imageUrls: [toDataUrl(await smallPhoto(6))] }) });
    const ad = await client.ok(api.createAd, { body: adBody() });
    const answer = await client.call(api.updateAd, {
      params: { id: ad.id },
      body: adBody({ imageUrls: other.imageUrls }),
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_image']);
  });

  test("is forbidden on another's public ad and writes nothing", async () => {
    const owner = await createSeller();
    const stranger = await createSeller();
    const ad = await owner.client.ok(api.createAd, { body: adBody({ title: 'Mine' }) });
    const params = { id: ad.id };
    const answers = [
      await stranger.client.call(api.updateAd, { params, body: adBody({ title: 'Yours' }) }),
      await stranger.client.call(api.setAdSold, { params, body: { isSold: true } }),
      await stranger.client.call(api.renewAd, { params }),
      await stranger.client.call(api.deleteAd, { params }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await anonymous.ok(api.getAd, { params })).toMatchObject({ title: 'Mine', isSold: false });
  });
});

describe('an ad that is not public', () => {
  test('does not exist for others, and shows its state to owner and administrators', async () => {
    const owner = await createSeller();
    const stranger = await createSeller();
    const admin = await createSeller({ role: 'admin' });
    const ad = await owner.client.ok(api.createAd, { body: adBody() });
    await app.db('ads').where({ id: ad.id }).update({ state: 'inactive', state_reason: 'Not allowed here' });
    const params = { id: ad.id };
    expect((await anonymous.call(api.getAd, { params })).status).toBe(404);
    expect((await stranger.client.call(api.getAd, { params })).body.message).toBe('Ad not found');
    expect((await stranger.client.call(api.updateAd, { params, body: adBody() })).status).toBe(404);
    expect((await stranger.client.call(api.deleteAd, { params })).status).toBe(404);
    const shown = { state: 'inactive', stateReason: 'Not allowed here', isActive: false };
    expect(await owner.client.ok(api.getAd, { params })).toMatchObject(shown);
    expect(await admin.client.ok(api.getAd, { params })).toMatchObject(shown);
  });

  test('once deleted, is gone for everybody, its text and images too', async () => {
    const { client } = await createSeller();
    const imageUrls = [toDataUrl(await smallPhoto(8))];
    const ad = await client.ok(api.createAd, { body: adBody({ title: 'Vanishing', imageUrls }) });
    const params = { id: ad.id };
    expect((await client.call(api.deleteAd, { params })).status).toBe(204);
    for (const call of [
      client.call(api.getAd, { params }),
      client.call(api.deleteAd, { params }),
      client.call(api.updateAd, { params, body: adBody() }),
    ])
      expect((await call).status).toBe(404);
    expect(await app.db('ads').where({ id: ad.id }).first()).toMatchObject({
      title: '',
      description: '',
      state: 'deleted',
    });
    expect(await app.db('ad_images').where({ ad_id: ad.id })).toEqual([]);
  });

  test.each(['abc', '0', '-1', '1e3', '99999999999999999999', '%00', '1%2F2'])('id %s is 404', async (id) => {
    expect((await anonymous.send(`/api/ads/${id}`)).status).toBe(404);
  });
});

describe('sold and expired', () => {
  test('a sold ad stays listed for a week and is marked once', async () => {
    const { client } = await createSeller();
    const { id } = await client.ok(api.createAd, { body: adBody() });
    const activeAds = async () => (await anonymous.ok(getSiteStats)).activeAds;
    const before = await activeAds();
    const sold = await client.ok(api.setAdSold, { params: { id }, body: { isSold: true } });
    expect(sold).toMatchObject({ isSold: true, isActive: true });
    const row = await app.db('ads').where({ id }).first();
    await client.ok(api.setAdSold, { params: { id }, body: { isSold: true } });
    expect((await app.db('ads').where({ id }).first()).sold_at).toBe(row.sold_at);
    expect(row.listed).toBe(true);
    expect(Date.parse(row.sold_listed_until) - Date.parse(row.sold_at)).toBe(7 * 86_400_000);
    expect(await activeAds()).toBe(before - 1);
    expect(await client.ok(api.setAdSold, { params: { id }, body: { isSold: false } })).toMatchObject({
      isSold: false,
    });
    expect(await activeAds()).toBe(before);
  });

  test('only an expired ad can be renewed; an inactive one stays down', async () => {
    const { client } = await createSeller();
    const { id } = await client.ok(api.createAd, { body: adBody() });
    const renew = () => client.call(api.renewAd, { params: { id } });
    expect((await renew()).status).toBe(409);
    await app.db('ads').where({ id }).update({ state: 'inactive' });
    expect((await renew()).status).toBe(409);
    await app.db('ads').where({ id }).update({ state: 'expired', expires_at: '2020-01-01' });
    expect((await renew()).body).toMatchObject({ state: 'active', isActive: true });
    expect((await anonymous.call(api.getAd, { params: { id } })).status).toBe(200);
  });
});

describe('views', () => {
  test("count once per viewer and day, not the owner's, a robot's or a prefetch's", async () => {
    const { client } = await createSeller();
    const { id } = await client.ok(api.createAd, { body: adBody() });
    const look = (headers: Record<string, string>) => anonymous.send(`/api/ads/${id}`, { headers });
    await look({ 'User-Agent': 'Mozilla/5.0 one' });
    await look({ 'User-Agent': 'Mozilla/5.0 one' });
    // the same address
    await look({ 'User-Agent': 'Mozilla/5.0 two' });
    await (await createSeller()).client.send(`/api/ads/${id}`, { headers: { 'User-Agent': 'Mozilla/5.0 two' } });
    await look({ 'User-Agent': 'Twitterbot/1.0' });
    await look({ 'User-Agent': 'Mozilla/5.0 three', 'Sec-Purpose': 'prefetch' });
    await anonymous.send(`/api/ads/${id}`, { method: 'HEAD', headers: { 'User-Agent': 'Mozilla/5.0 four' } });
    await client.send(`/api/ads/${id}`, { headers: { 'User-Agent': 'Mozilla/5.0 owner' } });
    await getViewCounter(app).flush();
    await look({ 'User-Agent': 'Mozilla/5.0 one' });
    await getViewCounter(app).flush();
    expect((await client.ok(api.getAd, { params: { id } })).views).toBe(2);
  });
});

describe('versions', () => {
  test('an edit of an ad that was changed since it was read is refused with 409, and changes nothing', async () => {
    const { client } = await createSeller();
    const { id, version } = await client.ok(api.createAd, { body: adBody({ title: 'First' }) });
    const edit = (title: string, more: { version?: string | undefined } = {}) =>
      client.call(api.updateAd, { params: { id }, body: { ...adBody({ title }), ...more } });
    const second = await edit('Second', { version });
    expect(second.status).toBe(200);
    const refused = await edit('Third', { version });
    expect([refused.status, (refused.body as unknown as { code: string }).code]).toEqual([409, 'conflict']);
    const ad = await client.ok(api.getAd, { params: { id } });
    expect(ad.title).toBe('Second');
    expect((await edit('Third', { version: ad.version })).status).toBe(200);
    expect((await edit('Without a version')).status).toBe(200);
  });

  test('is shown to the owner only', async () => {
    const { client } = await createSeller();
    const { id, version } = await client.ok(api.createAd, { body: adBody() });
    expect(version).toBeDefined();
    expect(await anonymous.ok(api.getAd, { params: { id } })).not.toHaveProperty('version');
  });
});
