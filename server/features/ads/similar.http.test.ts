import { beforeAll, expect, test } from 'vitest';
import * as adApi from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import { listMoreFromSeller, listSimilarAds } from '../../../contract/similar.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

let seller: Client;
let other: Client;
let sellerId: string;
let otherId: string;
let bicycle: string;

const post = async (client: Client, title: string, price: number, more: object = {}): Promise<string> => {
  const body = adBody({ title, description: `About ${title}`, price, category: 'sports', ...more });
  return (await client.ok(adApi.createAd, { body })).id;
};

beforeAll(async () => {
  await insertCategories(app);
  [sellerId, otherId] = [(await insertUser(app)).id, (await insertUser(app)).id];
  [seller, other] = [await signIn(sellerId), await signIn(otherId)];
  bicycle = await post(seller, 'Red mountain bicycle', 300);
  await post(seller, 'Skates', 30);
  await post(seller, 'Sold helmet', 20);
  const [sold] = await seller.ok(adApi.listAds, { query: { search: 'helmet' } });
  await seller.ok(adApi.setAdSold, { params: { id: sold!.id }, body: { isSold: true } });
  await post(other, 'Mountain bicycle, worn', 2000);
  await post(other, 'Mountain bicycle', 280);
  await post(other, 'Bicycle bell', 290);
  await post(other, 'Tennis racket', 250);
  await post(other, 'Ball', 5);
  await post(other, 'Mountain bicycle poster', 300, { category: 'furniture' });
  const isSold = await post(other, 'Red mountain bicycle, sold', 300);
  await other.ok(adApi.setAdSold, { params: { id: isSold }, body: { isSold: true } });
  const hidden = await post(other, 'Hidden red mountain bicycle', 300);
  await app.db('ads').where({ id: hidden }).update({ state: 'pending' });
});

const titles = (ads: readonly adApi.Ad[]) => ads.map(({ title }) => title);
const similarTo = async (client: Client, id = bicycle) => titles(await client.ok(listSimilarAds, { params: { id } }));
const moreLike = async (client: Client, id = bicycle) =>
  titles(await client.ok(listMoreFromSeller, { params: { id } }));

test('similar ads share the category: first words of the title, then the price, then the newest', async () => {
  expect(await similarTo(anonymous)).toEqual([
    'Mountain bicycle',
    'Mountain bicycle, worn',
    'Bicycle bell',
    'Tennis racket',
    'Ball',
  ]);
});

test("neither list has the viewer's own ads, or those of people whom the viewer blocked", async () => {
  expect(await similarTo(other)).toEqual([]);
  expect(await moreLike(seller)).toEqual([]);
  const viewer = await signIn((await insertUser(app)).id);
  await viewer.ok(blockUser, { params: { userId: otherId } });
  expect(await similarTo(viewer)).toEqual([]);
  await viewer.ok(blockUser, { params: { userId: sellerId } });
  expect(await moreLike(viewer)).toEqual([]);
});

test('more from the seller are the other listed, unsold ads, newest first, at most four', async () => {
  expect(await moreLike(anonymous)).toEqual(['Skates']);
  const [bell] = await anonymous.ok(adApi.listAds, { query: { search: 'bell' } });
  expect(await moreLike(anonymous, bell!.id)).toEqual([
    'Mountain bicycle poster',
    'Ball',
    'Tennis racket',
    'Mountain bicycle',
  ]);
});

test('at most eight are similar', async () => {
  const crowd = await signIn((await insertUser(app)).id);
  for (let n = 0; n < 10; n++) await post(crowd, `Mountain bicycle number ${n}`, 300 + n);
  expect(await similarTo(seller)).toHaveLength(8);
});

test('newer ads of the seller, the viewer, blocked people and sold ones do not push similar ads out', async () => {
  const [viewerId, blockedId, oldId, modelSellerId] = await Promise.all(
    Array.from({ length: 4 }, async () => (await insertUser(app)).id),
  );
  const viewer = await signIn(viewerId!);
  await viewer.ok(blockUser, { params: { userId: blockedId! } });
  const category = 'electronics';
  const { id: category_id } = await app.db('categories').where({ slug: category }).first('id');
  const ad = { category_id, title: 'Walnut gramophone', description: 'About it', price: 300 };
  const sold = { is_sold: true, sold_at: '2026-01-01', sold_listed_until: '2999-01-01' };
  await app.db('ads').insert({ ...ad, user_id: oldId });
  const [{ id }] = await app
    .db('ads')
    .insert({ ...ad, user_id: modelSellerId })
    .returning('id');
  const owners = [
    { user_id: modelSellerId },
    { user_id: viewerId },
    { user_id: blockedId },
    { user_id: oldId, ...sold },
  ];
  for (const owner of owners) await app.db('ads').insert(Array.from({ length: 70 }, () => ({ ...ad, ...owner })));
  const ids = (await viewer.ok(listSimilarAds, { params: { id } })).map(({ userId }) => userId);
  expect(ids).toEqual([oldId]);
});

test('a title of stop words and quotes finds by price', async () => {
  const id = await post(seller, `It is "the" \\ o'clock`, 251, { category: 'sports' });
  expect((await similarTo(anonymous, id)).length).toBeGreaterThan(0);
});

test.each([listSimilarAds, listMoreFromSeller])('of an ad that the viewer does not see: 404', async (spec) => {
  const [pending] = await app.db('ads').where({ state: 'pending' }).pluck('id');
  for (const [client, status] of [
    [anonymous, 404],
    [seller, 404],
    [other, 200],
  ] as const)
    expect((await client.call(spec, { params: { id: pending! } })).status).toBe(status);
  expect((await anonymous.call(spec, { params: { id: '99999999' } })).status).toBe(404);
});
