import { describe, expect, test } from 'vitest';
import { blockUser } from '../../../contract/blocks.ts';
import * as api from '../../../contract/follows.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { countFollowers } from './repository.ts';

const { app, createPerson } = await openTestApp();

const follow = (by: Person, other: { id: string }) => by.client.call(api.followUser, { params: { userId: other.id } });
const unfollow = (by: Person, other: Person) => by.client.call(api.unfollowUser, { params: { userId: other.id } });
const block = (by: Person, other: Person) => by.client.ok(blockUser, { params: { userId: other.id } });
const isFollowing = async (by: Person, other: Person) =>
  (await by.client.ok(api.getFollow, { params: { userId: other.id } })).isFollowing;

test('a follow is listed for the follower, newest first, who ends it; a repetition changes nothing', async () => {
  const [ann, ben, cem] = [await createPerson(), await createPerson(), await createPerson()];
  for (let i = 0; i < 2; i++)
    expect(await follow(ann, ben)).toMatchObject({ status: 200, body: { user: { id: ben.id }, isAvailable: true } });
  await follow(ann, cem);
  const list = await ann.client.ok(api.listFollows);
  expect(list).toMatchObject([{ user: { id: cem.id } }, { user: { id: ben.id, username: ben.username } }]);
  const first = await ann.client.call(api.listFollows, { query: { limit: '1' } });
  const cursor = /cursor=(\d+)/.exec(first.headers.get('link') ?? '')?.[1];
  expect(await ann.client.ok(api.listFollows, { query: { limit: '1', cursor } })).toMatchObject([
    { user: { id: ben.id } },
  ]);
  expect([await isFollowing(ann, ben), await isFollowing(ben, ann)]).toEqual([true, false]);
  expect(await ben.client.ok(api.listFollows)).toEqual([]);
  for (let i = 0; i < 2; i++) expect((await unfollow(ann, ben)).status).toBe(204);
  expect(await ann.client.ok(api.listFollows)).toHaveLength(1);
});

test('following many times at once leaves one row', async () => {
  const [ann, ben] = [await createPerson(), await createPerson()];
  const all = await Promise.all(Array.from({ length: 8 }, () => follow(ann, ben)));
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await app.db('follows').where({ follower_id: ann.id })).toHaveLength(1);
});

describe('a follow is refused', () => {
  test('of oneself, and of unknown, deleted, banned and suspended people', async () => {
    const ann = await createPerson();
    expect(await follow(ann, ann)).toMatchObject({ status: 400, body: { fields: { userId: expect.any(String) } } });
    const hidden = [
      await insertUser(app, { deleted_at: new Date().toISOString(), username: null }),
      await insertUser(app, { banned_at: new Date().toISOString() }),
      await insertUser(app, { suspended_until: '2999-01-01' }),
      await insertUser(app, { username: null }),
    ].map(({ id }) => id);
    for (const id of ['999999999', 'x', '0', ...hidden])
      expect([id, (await follow(ann, { id })).status]).toEqual([id, 404]);
    expect(await app.db('follows').where({ follower_id: ann.id })).toEqual([]);
  });

  test('beyond the limit, also when two arrive at once', async () => {
    const ann = await createPerson();
    await app.db.raw(
      `with others as (insert into users (display_name) select 'Other ' || n from generate_series(1, ?::int) n returning id)
       insert into follows (follower_id, seller_id) select ?::bigint, id from others`,
      [LIMITS.follows - 1, ann.id],
    );
    const two = [await createPerson(), await createPerson()];
    const responses = await Promise.all(two.map((person) => follow(ann, person)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.message).toContain('at most 500 people');
    expect(await app.db('follows').where({ follower_id: ann.id }).count()).toEqual([{ count: String(LIMITS.follows) }]);
  });
});

test('a followed person who is banned stays in the list, as not available', async () => {
  const [ann, ben] = [await createPerson(), await createPerson()];
  await follow(ann, ben);
  await app.db('users').where({ id: ben.id }).update({ banned_at: app.db.fn.now() });
  expect(await ann.client.ok(api.listFollows)).toMatchObject([{ user: { id: ben.id }, isAvailable: false }]);
  expect((await unfollow(ann, ben)).status).toBe(204);
});

describe('a block', () => {
  test.each(['follower', 'seller'] as const)('by the %s ends follows in both directions', async (who) => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    await follow(ann, ben);
    await follow(ben, ann);
    await (who === 'follower' ? block(ann, ben) : block(ben, ann));
    expect(await app.db('follows').whereIn('follower_id', [ann.id, ben.id])).toEqual([]);
  });

  test('keeps the blocker from following, and the blocked person from counting as a follower', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    await follow(ben, ann);
    expect(await countFollowers(app.db, ann.id)).toBe(1);
    await block(ann, ben);
    expect(await follow(ann, ben)).toMatchObject({
      status: 409,
      body: { message: 'You blocked this person. Unblock them to follow them.' },
    });
    // the blocked person is not informed
    expect((await follow(ben, ann)).status).toBe(200);
    expect(await countFollowers(app.db, ann.id)).toBe(0);
  });

  test('and a follow at the same time never leave both', async () => {
    for (let round = 0; round < 10; round++) {
      const [ann, ben] = [await createPerson(), await createPerson()];
      const [followed] = await Promise.all([follow(ann, ben), block(ann, ben)]);
      expect([200, 409]).toContain(followed.status);
      expect(await app.db('follows').where({ follower_id: ann.id })).toEqual([]);
    }
  });
});

test('follows are exported, and deleted with either account', async () => {
  const [ann, ben, cem] = [await createPerson(), await createPerson(), await createPerson()];
  await follow(ann, ben);
  await follow(cem, ann);
  const { body } = await ann.client.call(exportMyData);
  expect(body).toMatchObject({ follows: [{ userId: ben.id, username: ben.username }] });
  await ann.client.call(deleteMe);
  expect(await app.db('follows').where({ follower_id: ann.id }).orWhere({ seller_id: ann.id })).toEqual([]);
});
