import { beforeAll, expect, test } from 'vitest';
import { createAd, setAdSold } from '../../../contract/ads.ts';
import { toggleFavorite } from '../../../contract/favorites.ts';
import { followUser } from '../../../contract/follows.ts';
import { getSiteStats, listCategories } from '../../../contract/stats.ts';
import * as api from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

beforeAll(() => insertCategories(app));

/** Three ads: active, sold, hidden. */
const createSeller = async () => {
  const user = await insertUser(app, { email: 'canary@mail.example' });
  const client = await signIn(user.id);
  const post = (title: string) => client.ok(createAd, { body: adBody({ title }) });
  const [active, sold, hidden] = [await post('Active'), await post('Sold'), await post('Hidden')];
  await client.ok(setAdSold, { params: { id: sold.id }, body: { isSold: true } });
  await app.db('ads').where({ id: hidden.id }).update({ state: 'inactive' });
  await app.db('ad_views').insert([
    { ad_id: active.id, views: 3 },
    { ad_id: hidden.id, views: 5 },
  ]);
  return { user, client, active, sold, hidden };
};
const titlesOf = (ads: { title: string }[]) => ads.map(({ title }) => title);

test('a profile shows the public ads with totals counted by the server', async () => {
  const { user, client } = await createSeller();
  for (const viewer of [anonymous, client]) {
    const profile = await viewer.ok(api.getProfile, { params: { username: user.username!.toUpperCase() } });
    expect(profile.user).toMatchObject({ id: user.id, username: user.username });
    expect(titlesOf(profile.ads)).toEqual(['Sold', 'Active']);
    expect(profile.stats).toMatchObject({ totalAds: 2, activeAds: 1, soldAds: 1, totalViews: 3 });
  }
  const params = { username: user.username! };
  expect(titlesOf((await anonymous.ok(api.getProfile, { params, query: { status: 'sold' } })).ads)).toEqual(['Sold']);
  expect(titlesOf((await anonymous.ok(api.getProfile, { params, query: { status: 'active' } })).ads)).toEqual([
    'Active',
  ]);
});

test('a profile tells nothing private', async () => {
  const { user } = await createSeller();
  const { body } = await anonymous.call(api.getProfile, { params: { username: user.username! } });
  const text = JSON.stringify(body);
  for (const secret of ['canary', user.x_id, '"role"', '"email"', '"twitterId"', 'Hidden'])
    expect(text).not.toContain(secret);
});

test('unknown, malformed and banned people have no profile', async () => {
  const banned = await insertUser(app, { banned_at: new Date().toISOString() });
  for (const username of ['nobody_here', 'a-b', 'x'.repeat(16), banned.username])
    expect((await anonymous.send(`/api/users/${username}/profile`)).status).toBe(404);
});

test("one's own ads are all there for oneself and administrators, the public ones for anybody else", async () => {
  const { user, client } = await createSeller();
  const params = { id: user.id };
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  const stranger = await signIn((await insertUser(app)).id);
  for (const viewer of [client, admin])
    expect(titlesOf(await viewer.ok(api.listUserAds, { params }))).toEqual(['Hidden', 'Sold', 'Active']);
  for (const viewer of [anonymous, stranger])
    expect(titlesOf(await viewer.ok(api.listUserAds, { params }))).toEqual(['Sold', 'Active']);
  expect(await anonymous.ok(api.listUserAds, { params: { id: '999999' } })).toEqual([]);
});

test("the dashboard's numbers cover all own ads", async () => {
  const { client } = await createSeller();
  const other = await createSeller();
  await client.ok(toggleFavorite, { params: { id: other.active.id } });
  const stats = await client.ok(api.getMyStats);
  expect(stats).toMatchObject({ totalViews: 8, totalAds: 3, activeAds: 1, soldAds: 1, likedAds: 1 });
  expect(titlesOf(stats.topAds)).toEqual(['Hidden', 'Active', 'Sold']);
});

test('sellers see how many people follow them, and no one else does', async () => {
  const { user, client } = await createSeller();
  const follower = await signIn((await insertUser(app)).id);
  await follower.ok(followUser, { params: { userId: user.id } });
  expect(await client.ok(api.getMyStats)).toMatchObject({ followers: 1 });
  const params = { username: user.username! };
  expect((await client.ok(api.getProfile, { params })).stats.followers).toBe(1);
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  for (const viewer of [anonymous, follower, admin])
    expect((await viewer.ok(api.getProfile, { params })).stats).not.toHaveProperty('followers');
});

test('site statistics count listed unsold ads, people in good standing and categories', async () => {
  const before = await anonymous.ok(getSiteStats);
  await createSeller();
  const after = { activeAds: before.activeAds + 1, users: before.users + 1, categories: 25 };
  // The figures before may still be in the response cache.
  await expect.poll(() => anonymous.ok(getSiteStats)).toEqual(after);
  await app.db.raw('select fold_counters()');
  const { rows } = await app.db.raw('select count(*) as deltas from counter_deltas');
  expect(rows[0].deltas).toBe('0');
});

test('categories come in their order, disabled ones are left out', async () => {
  await app.db('categories').where({ slug: 'toys' }).update({ is_disabled: true });
  const categories = await anonymous.ok(listCategories);
  expect(categories).toHaveLength(24);
  expect(categories[0]).toEqual({ slug: 'electronics', name: 'Electronics', emoji: '📱', icon: 'smartphone' });
});
