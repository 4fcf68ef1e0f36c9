import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { undoPurchase } from '../../../contract/deals.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import * as api from '../../../contract/ratings.ts';
import { getProfile } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  adBody,
  insertCategories,
  insertEmptyConversation,
  insertUser,
  nextSerial,
  SETTLED,
} from '../../../test/harness/factories.ts';
import { revealDueRatings } from './jobs.ts';

const { app, anonymous, signIn, openLater } = await openTestApp();
const later = await openLater('15d');
beforeAll(() => insertCategories(app));

const ROUNDS = 6;

const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { ...SETTLED, ...columns });
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;

const sell = async (seller: Person, buyer: Person) => {
  const ad = await seller.client.ok(createAd, { body: adBody({ title: `Road bike ${nextSerial()}` }) });
  const people = { ad_id: ad.id, seller_id: seller.id, buyer_id: buyer.id };
  await insertEmptyConversation(app, people);
  const [{ id }] = await app
    .db('deals')
    .insert({
      ...people,
      ends_at: app.db.raw("now() + interval '14 days'"),
    })
    .returning('id');
  return id as string;
};
const openDeal = async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  return { seller, buyer, id: await sell(seller, buyer) };
};
type Value = api.RatingValue;
const rate = ({ client }: Pick<Person, 'client'>, id: string, value: Value = 'good', text = '') =>
  client.call(api.rateDeal, { params: { id }, body: { value, tags: ['friendly'], text } });
const ratingsOf = async ({ id }: { id: string }, { client = anonymous } = {}) =>
  client.ok(api.listRatings, { params: { id } });
const figureOf = async ({ username }: Person) =>
  (await anonymous.ok(getProfile, { params: { username: username! } })).user.rating;
const noticesOf = async ({ client }: Person) =>
  (await client.ok(listNotifications)).filter(({ kind }) => kind === 'rating').map(({ title }) => title);
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

const undo = ({ client }: Person, id: string) => client.call(undoPurchase, { params: { dealId: id } });

const moveDeal = (id: string, days: number) =>
  app.db.raw(
    `with d as (update deals set created_at = created_at - interval '${days} days', ends_at = ends_at - interval '${days} days' where id = :id)
     update ratings set created_at = created_at - interval '${days} days' where deal_id = :id`,
    { id },
  );

describe('until both have rated', () => {
  test('neither sees the rating of the other, and the first is asked for nothing more', async () => {
    const { seller, buyer, id } = await openDeal();
    const { status, body } = await rate(buyer, id, 'bad', 'Never came.');
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ value: 'bad', tags: ['friendly'], text: 'Never came.', isRevealed: false }),
    ]);
    for (const client of [anonymous, seller.client, buyer.client])
      expect(await client.ok(api.listRatings, { params: { id: seller.id } })).toEqual([]);
    expect(await figureOf(seller)).toBeUndefined();
    expect(await noticesOf(seller)).toEqual([`${buyer.display_name} rated you. Rate them to see it.`]);
    expect(await noticesOf(buyer)).toEqual([]);
  });

  test('a reply to it is refused as if it did not exist', async () => {
    const { seller, buyer, id } = await openDeal();
    const rating = (await rate(buyer, id)).body;
    for (const { client } of [seller, buyer])
      expect(
        (await client.call(api.replyToRating, { params: { id: rating.id }, body: { text: 'Thanks' } })).status,
      ).toBe(404);
  });
});

describe('when both have rated', () => {
  test('both ratings are public at once, with figures and notifications', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id, 'good', 'Lovely seller');
    const second = (await rate(seller, id, 'neutral')).body;
    expect(second).toMatchObject({ isRevealed: true, isRemoved: false });
    expect(await ratingsOf(seller)).toEqual([
      expect.objectContaining({
        value: 'good',
        tags: ['friendly'],
        text: 'Lovely seller',
        role: 'buyer',
        rater: expect.objectContaining({ id: buyer.id, rating: { deals: 1, positive: 0 } }),
        reply: null,
        repliedAt: null,
      }),
    ]);
    expect(await ratingsOf(buyer)).toEqual([expect.objectContaining({ id: second.id, role: 'seller' })]);
    expect([await figureOf(seller), await figureOf(buyer)]).toEqual([
      { deals: 1, positive: 100 },
      { deals: 1, positive: 0 },
    ]);
    expect(await noticesOf(buyer)).toEqual([`${seller.display_name} rated you`]);
    expect((await noticesOf(seller))[0]).toBe(`${buyer.display_name} rated you`);
    const unread = (await seller.client.ok(listNotifications)).filter(({ isRead }) => !isRead);
    expect(unread.map(({ title, body, url }) => [title, body, url])).toEqual([
      [
        `${buyer.display_name} rated you`,
        expect.stringMatching(/^Good · Road bike \d+$/),
        `/users/${seller.username}#ratings`,
      ],
    ]);
  });

  test('the figure is beside the name of the seller on ads', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id);
    await rate(seller, id);
    const { ads } = await anonymous.ok(getProfile, { params: { username: seller.username! } });
    expect(ads[0]!.user.rating).toEqual({ deals: 1, positive: 100 });
  });

  test('of the same pair within 90 days only the last rating counts, and all are listed', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const [old, first, last] = [await sell(seller, buyer), await sell(seller, buyer), await sell(seller, buyer)];
    for (const id of [old, first]) await rate(seller, id);
    await rate(buyer, old);
    await moveDeal(old, 200);
    await rate(buyer, first);
    expect(await figureOf(seller)).toEqual({ deals: 2, positive: 100 });
    await rate(buyer, last, 'bad');
    await rate(seller, last);
    expect(await figureOf(seller)).toEqual({ deals: 2, positive: 50 });
    expect(await ratingsOf(seller)).toHaveLength(3);
  });

  test('ratings are paged, newest first', async () => {
    const seller = await createPerson();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const buyer = await createPerson();
      const id = await sell(seller, buyer);
      ids.unshift((await rate(buyer, id)).body.id);
      await rate(seller, id);
    }
    const params = { id: seller.id };
    const first = await anonymous.call(api.listRatings, { params, query: { limit: '2' } });
    const cursor = /cursor=(\d+)/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await anonymous.call(api.listRatings, { params, query: { limit: '2', cursor } });
    expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(ids);
    expect(second.headers.get('link')).toBeNull();
  });

  test('the ratings of a person whose profile is hidden are hidden too', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id);
    await rate(seller, id);
    await app
      .db('users')
      .where({ id: seller.id })
      .update({ banned_at: app.db.raw('now()') });
    const params = { id: seller.id };
    expect((await buyer.client.call(api.listRatings, { params })).status).toBe(404);
    expect((await anonymous.call(api.listRatings, { params: { id: '999999' } })).status).toBe(404);
    const staff = await createPerson({ role: 'moderator' });
    expect(await ratingsOf(seller, staff)).toHaveLength(1);
  });
});

describe('when 14 days are over', () => {
  const signInLater = async ({ id }: Person) => ({ client: await later.signIn(id) });

  test('a single rating is public, even while the job is late; then the figure follows, and once', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id, 'good', 'Fine');
    const list = () => later.anonymous.ok(api.listRatings, { params: { id: seller.id } });
    expect(await list()).toEqual([expect.objectContaining({ text: 'Fine' })]);
    expect(await ratingsOf(seller), 'earlier it is hidden').toEqual([]);
    await Promise.all([revealDueRatings(later.app), revealDueRatings(later.app)]);
    await revealDueRatings(later.app);
    expect(await figureOf(seller)).toEqual({ deals: 1, positive: 100 });
    expect(await noticesOf(seller)).toEqual([
      `${buyer.display_name} rated you`,
      `${buyer.display_name} rated you. Rate them to see it.`,
    ]);
    expect(await noticesOf(buyer)).toEqual([]);
  });

  test('the job leaves ratings alone whose time is not over', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id);
    await revealDueRatings(app);
    expect(await ratingsOf(seller)).toEqual([]);
    expect(await figureOf(seller)).toBeUndefined();
  });

  test('rating is refused with the state, also for the first rating', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id);
    const answer = await rate(await signInLater(seller), id);
    expect([answer.status, answer.body.fields]).toEqual([409, { state: 'too_late' }]);
    const other = await openDeal();
    expect((await rate(await signInLater(other.buyer), other.id)).body.fields).toEqual({ state: 'too_late' });
  });

  test('a reply is possible at once', async () => {
    const { seller, buyer, id } = await openDeal();
    const rating = (await rate(buyer, id)).body;
    const { client } = await signInLater(seller);
    await client.ok(api.replyToRating, { params: { id: rating.id }, body: { text: 'Thanks' } });
    expect((await later.anonymous.ok(api.listRatings, { params: { id: seller.id } }))[0]!.reply).toBe('Thanks');
  });
});

describe('who may rate', () => {
  test('only the two people of the deal; to others it does not exist', async () => {
    const { id } = await openDeal();
    const stranger = await createPerson();
    const admin = await createPerson({ role: 'admin' });
    for (const person of [stranger, admin]) expect((await rate(person, id)).status).toBe(404);
    expect((await rate(stranger, '999999')).status).toBe(404);
  });

  test('once: a second rating is refused with the state, and changes nothing', async () => {
    const { seller, buyer, id } = await openDeal();
    await rate(buyer, id, 'good');
    const again = await rate(buyer, id, 'bad');
    expect([again.status, again.body.message, again.body.fields]).toEqual([
      409,
      'You have rated this deal already.',
      { state: 'rated' },
    ]);
    await rate(seller, id);
    expect((await ratingsOf(seller)).map(({ value }) => value)).toEqual(['good']);
  });

  test('not a person who deleted their account', async () => {
    const { seller, buyer, id } = await openDeal();
    await app
      .db('users')
      .where({ id: seller.id })
      .update({ deleted_at: app.db.raw('now()') });
    expect((await rate(buyer, id)).status).toBe(404);
  });

  test('not while suspended', async () => {
    const { buyer, id } = await openDeal();
    await app
      .db('users')
      .where({ id: buyer.id })
      .update({ suspended_until: app.db.raw("now() + interval '1 day'") });
    expect((await rate(buyer, id)).status).toBe(403);
  });

  test('a block between the two keeps the rating and suppresses its notifications', async () => {
    const { seller, buyer, id } = await openDeal();
    await app.db('blocks').insert({ blocker_id: seller.id, blocked_id: buyer.id });
    expect([(await rate(buyer, id)).status, (await rate(seller, id)).status]).toEqual([201, 201]);
    expect([...(await noticesOf(seller)), ...(await noticesOf(buyer))]).toEqual([]);
    expect(await figureOf(seller)).toEqual({ deals: 1, positive: 100 });
  });
});

describe('input', () => {
  test.each([
    ['no value', { tags: [] }],
    ['an unknown value', { value: 'great' }],
    ['an unknown tag', { value: 'good', tags: ['handsome'] }],
    ['a tag twice', { value: 'good', tags: ['friendly', 'friendly'] }],
    ['a text that is too long', { value: 'good', text: 'x'.repeat(LIMITS.rating + 1) }],
    ['a text that is no text', { value: 'good', text: {} }],
  ])('%s is refused', async (_, body) => {
    const { buyer, id } = await openDeal();
    const { status } = await buyer.client.send(`/api/deals/${id}/rating`, { method: 'POST', body });
    expect(status).toBe(400);
    expect(await app.db('ratings').where({ deal_id: id })).toEqual([]);
  });

  test('tags and text may be missing, and the longest text fits', async () => {
    const { seller, buyer, id } = await openDeal();
    const text = '😀'.repeat(LIMITS.rating);
    const send = ({ client }: Person, body: unknown) =>
      client.send(`/api/deals/${id}/rating`, { method: 'POST', body });
    expect((await send(buyer, { value: 'good' })).body).toMatchObject({ tags: [], text: '' });
    expect((await send(seller, { value: 'good', text })).body).toMatchObject({ text });
  });
});

describe('a reply', () => {
  const reply = ({ client }: Person, id: string, text = 'Thank you') =>
    client.call(api.replyToRating, { params: { id }, body: { text } });
  const openRating = async () => {
    const deal = await openDeal();
    const rating = (await rate(deal.buyer, deal.id)).body;
    await rate(deal.seller, deal.id);
    return { ...deal, rating };
  };

  test('is public, and the rater learns of it', async () => {
    const { seller, buyer, rating } = await openRating();
    expect((await reply(seller, rating.id)).body).toMatchObject({ id: rating.id, reply: 'Thank you' });
    expect((await ratingsOf(seller))[0]).toMatchObject({ reply: 'Thank you', repliedAt: expect.any(String) });
    expect((await noticesOf(buyer))[0]).toBe(`${seller.display_name} replied to your rating`);
  });

  test('comes once, also of two at the same time', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { seller, rating } = await openRating();
      const answers = await Promise.all([reply(seller, rating.id, 'One'), reply(seller, rating.id, 'Two')]);
      expect(statusesOf(answers)).toEqual([201, 409]);
    }
  });

  test('is for the person who was rated only', async () => {
    const { buyer, rating } = await openRating();
    const stranger = await createPerson();
    for (const person of [buyer, stranger]) expect((await reply(person, rating.id)).status).toBe(403);
    expect((await reply(stranger, '999999')).status).toBe(404);
  });

  test('has a text of 1 to 300 characters', async () => {
    const { seller, rating } = await openRating();
    for (const text of ['', '  ', 'x'.repeat(LIMITS.rating + 1)])
      expect((await reply(seller, rating.id, text)).status).toBe(400);
  });
});

describe('at the same time', () => {
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) await work();
  };

  test('both rate, and both ratings are public with their figures', () =>
    repeat(async () => {
      const { seller, buyer, id } = await openDeal();
      expect(statusesOf(await Promise.all([rate(seller, id), rate(buyer, id)]))).toEqual([201, 201]);
      expect([await figureOf(seller), await figureOf(buyer)]).toEqual([
        { deals: 1, positive: 100 },
        { deals: 1, positive: 100 },
      ]);
      expect([await ratingsOf(seller), await ratingsOf(buyer)].map(({ length }) => length)).toEqual([1, 1]);
    }));

  test('one person rates twice, and one rating stays', () =>
    repeat(async () => {
      const { buyer, id } = await openDeal();
      const answers = await Promise.all([rate(buyer, id, 'good'), rate(buyer, id, 'bad'), rate(buyer, id)]);
      expect(statusesOf(answers)).toEqual([201, 409, 409]);
      expect(await app.db('ratings').where({ deal_id: id })).toHaveLength(1);
    }));

  test('both rate while the deal is undone: all of it stays, or nothing', () =>
    repeat(async () => {
      const { seller, buyer, id } = await openDeal();
      const [first, second, undone] = await Promise.all([rate(seller, id), rate(buyer, id), undo(buyer, id)]);
      const isUndone = undone.status === 204;
      expect([first.status, second.status, undone.status]).toEqual(isUndone ? [404, 404, 204] : [201, 201, 409]);
      expect(await app.db('ratings').where({ deal_id: id })).toHaveLength(isUndone ? 0 : 2);
    }));

  test('several deals of one seller are rated, and the figure counts all of them', () =>
    repeat(async () => {
      const seller = await createPerson();
      const buyers = [await createPerson(), await createPerson(), await createPerson()];
      const deals: { id: string; buyer: Person }[] = [];
      for (const buyer of buyers) deals.push({ id: await sell(seller, buyer), buyer });
      await Promise.all(deals.flatMap(({ id, buyer }) => [rate(buyer, id), rate(seller, id)]));
      expect(await figureOf(seller)).toEqual({ deals: 3, positive: 100 });
    }));

  test('the job and a rating of the last moment agree', () =>
    repeat(async () => {
      const { seller, buyer, id } = await openDeal();
      await rate(buyer, id, 'bad');
      await Promise.all([rate(seller, id), revealDueRatings(later.app)]);
      expect(await figureOf(seller)).toEqual({ deals: 1, positive: 0 });
      expect((await noticesOf(seller)).filter((title) => title.endsWith('rated you'))).toHaveLength(1);
    }));
});

test('without a sale between them people cannot rate each other', async () => {
  const [one, other] = [await createPerson(), await createPerson()];
  const ad = await one.client.ok(createAd, { body: adBody() });
  expect((await rate(other, ad.id)).status).toBe(404);
});
