import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setAdStatus } from '../../../contract/admin.ts';
import { countSavers, createAd, getAd, renewAd, setAdPaused, setAdSold, updateAd } from '../../../contract/ads.ts';
import { viewConversation } from '../../../contract/conversations.ts';
import { listFavorites, toggleFavorite } from '../../../contract/favorites.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { getMyStats, listUserAds } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../settings/repository.ts';
import { expireAds } from './expiry/jobs.ts';

const { app, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

type Person = Awaited<ReturnType<typeof createPerson>>;
let seller: Person;
let buyer: Person;
let id: string;

beforeEach(async () => {
  [seller, buyer] = [await createPerson(), await createPerson()];
  ({ id } = await seller.client.ok(createAd, { body: adBody({ title: 'Walnut desk' }) }));
});

const params = () => ({ params: { id } });
const pause = (paused: boolean) => seller.client.call(setAdPaused, { ...params(), body: { paused } });
const stateOf = async () => (await seller.client.ok(getAd, params())).state;
/** In the copy that lists read; the lists themselves may be half a second old. */
const isOnTheMarket = async () => (await app.db('listed_ads').where({ id })).length === 1;
const set = (moderationMode: 'automatic' | 'manual') =>
  inTransaction(app.db, (trx) => writeSettings(trx, { ...DEFAULT_SETTINGS, moderationMode }, null));
const endIn = (interval: string) =>
  app
    .db('ads')
    .where({ id })
    .update({ expires_at: app.db.raw('now() + ?::interval', [interval]) });

test('a paused ad is hidden from everyone but its owner, and counts as no active one, until it is resumed', async () => {
  expect((await pause(true)).body).toMatchObject({ state: 'paused', isActive: false });
  expect((await pause(true)).status).toBe(200);
  expect(await isOnTheMarket()).toBe(false);
  expect((await buyer.client.call(getAd, params())).status).toBe(404);
  expect(await buyer.client.ok(listUserAds, { params: { id: seller.id } })).toEqual([]);
  expect((await seller.client.ok(getMyStats)).activeAds).toBe(0);
  expect((await pause(false)).body).toMatchObject({ state: 'active', isActive: true });
  expect((await pause(false)).status).toBe(200);
  expect(await isOnTheMarket()).toBe(true);
});

test('people who saved it or wrote about it see that it is paused', async () => {
  const conversation = { params: { adId: id, otherUserId: seller.id } };
  await buyer.client.ok(toggleFavorite, params());
  await buyer.client.ok(sendMessage, { body: { adId: id, receiverId: seller.id, content: 'Is it solid?' } });
  await pause(true);
  const [saved] = await buyer.client.ok(listFavorites);
  expect(saved).toMatchObject({ title: 'Walnut desk', state: 'paused', isAvailable: false, description: '' });
  const { ad } = await buyer.client.ok(viewConversation, conversation);
  expect(ad).toMatchObject({ isActive: false, isPaused: true, imageUrls: [] });
  const answer = { adId: id, receiverId: seller.id, content: 'And its size?' };
  expect((await buyer.client.call(sendMessage, { body: answer })).status).toBe(201);
  await app.db('users').where({ id: seller.id }).update({ banned_at: new Date().toISOString() });
  expect((await buyer.client.ok(viewConversation, conversation)).ad).not.toHaveProperty('isPaused');
  await app.db('users').where({ id: seller.id }).update({ banned_at: null });
  const stranger = await createPerson();
  expect((await stranger.client.call(sendMessage, { body: answer })).status).toBe(404);
});

test('no second review: what was edited meanwhile was judged then, and stays paused when it is approved', async () => {
  const admin = await createPerson({ role: 'admin' });
  const approve = () => admin.client.call(setAdStatus, { ...params(), body: { status: 'active' } });
  await pause(true);
  expect((await approve()).body).toMatchObject({
    message: 'The owner of this ad has paused it. Only they can resume it.',
  });
  await set('manual');
  await pause(false);
  expect(await stateOf()).toBe('active');
  await pause(true);
  await seller.client.ok(updateAd, { ...params(), body: adBody({ title: 'Oak desk' }) });
  expect(await stateOf()).toBe('pending');
  await approve();
  expect(await stateOf()).toBe('paused');
  await seller.client.ok(updateAd, { ...params(), body: adBody({ title: 'Elm desk' }) });
  await pause(false);
  expect(await stateOf()).toBe('pending');
  await approve();
  expect(await stateOf()).toBe('active');
  await set('automatic');
});

test('what staff took down while it was paused comes back paused', async () => {
  const admin = await createPerson({ role: 'admin' });
  await pause(true);
  await admin.client.call(setAdStatus, { ...params(), body: { status: 'inactive' } });
  expect(await stateOf()).toBe('inactive');
  expect((await pause(true)).status).toBe(200);
  await admin.client.call(setAdStatus, { ...params(), body: { status: 'active' } });
  expect(await stateOf()).toBe('paused');
});

test('only a public ad is paused', async () => {
  await seller.client.ok(setAdSold, { ...params(), body: { isSold: true } });
  expect((await pause(true)).body).toMatchObject({ message: 'This ad is marked as sold.' });
  await app.db('ads').where({ id }).update({ moderation: 'pending' });
  expect((await pause(true)).body).toMatchObject({ message: 'This ad is not public, so it cannot be paused.' });
});

test('a sale ends the pause', async () => {
  await pause(true);
  await seller.client.ok(setAdSold, { ...params(), body: { isSold: true } });
  expect(await stateOf()).toBe('active');
  await seller.client.ok(setAdSold, { ...params(), body: { isSold: false } });
  expect(await isOnTheMarket()).toBe(true);
});

test('its time runs on: it expires, its seller learns of it, and a renewal makes it public', async () => {
  await pause(true);
  await endIn('-1 minute');
  expect((await pause(false)).body).toMatchObject({ message: 'This ad has expired. Renew it to put it back.' });
  await expireAds(app);
  expect(await stateOf()).toBe('expired');
  expect((await seller.client.ok(listNotifications)).map(({ kind }) => kind)).toContain('ad_expired');
  await seller.client.ok(renewAd, params());
  expect(await stateOf()).toBe('active');
});

test('a renewal before its end leaves it paused', async () => {
  await pause(true);
  await endIn('1 day');
  const renewed = await seller.client.ok(renewAd, params());
  expect(renewed.state).toBe('paused');
  expect(Date.parse(renewed.expiresAt!)).toBeGreaterThan(Date.now() + 20 * 86_400_000);
});

test('its owner learns how many people saved it, and which price would be a drop for them', async () => {
  await seller.client.ok(updateAd, { ...params(), body: adBody({ price: '100' }) });
  const savers = () => seller.client.ok(countSavers, params());
  expect(await savers()).toEqual({ savers: 0, dropPrice: '14.25' });
  for (const { client } of [buyer, await createPerson()]) await client.ok(toggleFavorite, params());
  await createPerson({ banned_at: new Date().toISOString() }).then(({ id: user_id }) =>
    app.db('favorites').insert({ ad_id: id, user_id }),
  );
  expect((await savers()).savers).toBe(2);
  await seller.client.ok(updateAd, { ...params(), body: adBody({ priceType: 'wanted', price: '100' }) });
  expect((await savers()).dropPrice).toBeNull();
});
