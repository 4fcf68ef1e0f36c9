import { beforeAll, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/favorites.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

beforeAll(() => insertCategories(app));

const createPerson = async () => signIn((await insertUser(app)).id);
const postAd = async (fields = {}) => (await createPerson()).ok(createAd, { body: adBody(fields) });

test('a toggle saves the ad, the next one removes it', async () => {
  const client = await createPerson();
  const params = { id: (await postAd()).id };
  expect(await client.ok(api.getFavoriteStatus, { params })).toEqual({ isFavorited: false });
  expect(await client.ok(api.toggleFavorite, { params })).toEqual({ isFavorited: true, postedToX: false });
  expect(await client.ok(api.getFavoriteStatus, { params })).toEqual({ isFavorited: true });
  expect(await client.ok(api.listFavoriteIds)).toEqual([params.id]);
  expect(await client.ok(api.toggleFavorite, { params })).toEqual({ isFavorited: false, postedToX: false });
  expect(await client.ok(api.listFavorites)).toEqual([]);
});

test('needs a person and an ad', async () => {
  const params = { id: (await postAd()).id };
  expect((await anonymous.call(api.toggleFavorite, { params })).status).toBe(401);
  const client = await createPerson();
  for (const id of ['999999999', 'abc', '0'])
    expect((await client.send(`/api/ads/${id}/favorite`, { method: 'POST' })).status).toBe(404);
});

test("lists one's own only, the last saved first, page by page", async () => {
  const client = await createPerson();
  const ids = [(await postAd()).id, (await postAd()).id, (await postAd()).id];
  for (const id of [ids[1]!, ids[0]!, ids[2]!]) await client.ok(api.toggleFavorite, { params: { id } });
  const page = await client.call(api.listFavorites, { query: { limit: '2' } });
  expect(page.body.map((ad: { id: string }) => ad.id)).toEqual([ids[2], ids[0]]);
  expect(page.headers.get('link')).toContain('rel="next"');
  expect(await (await createPerson()).ok(api.listFavorites)).toEqual([]);
});

test('a saved ad that left public view keeps its title only; a deleted one is gone', async () => {
  const client = await createPerson();
  const hidden = await postAd({ title: 'Hidden now', description: 'CANARY', location: 'CANARY' });
  const seller = await createPerson();
  const deleted = await seller.ok(createAd, { body: adBody() });
  for (const { id } of [hidden, deleted]) await client.ok(api.toggleFavorite, { params: { id } });
  await app.db('ads').where({ id: hidden.id }).update({ state: 'inactive' });
  await seller.call(deleteAd, { params: { id: deleted.id } });
  const list = await client.ok(api.listFavorites);
  expect(list).toMatchObject([
    {
      id: hidden.id,
      title: 'Hidden now',
      isActive: false,
      isAvailable: false,
      images: [],
      price: '0.00',
      category: '',
      userId: '',
    },
  ]);
  expect(JSON.stringify(list)).not.toContain('CANARY');
  expect(JSON.stringify(list)).not.toContain(hidden.user.username);
  expect(await client.ok(api.toggleFavorite, { params: { id: hidden.id } })).toMatchObject({ isFavorited: false });
  expect((await client.call(api.toggleFavorite, { params: { id: hidden.id } })).status).toBe(404);
});

test('eight toggles at once are one after the other: no error, and the state is that of the last', async () => {
  const client = await createPerson();
  const params = { id: (await postAd()).id };
  for (let round = 1; round <= 5; round++) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.call(api.toggleFavorite, { params })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter(({ body }) => body.isFavorited)).toHaveLength(4);
    expect(await client.ok(api.getFavoriteStatus, { params })).toEqual({ isFavorited: false });
  }
});
