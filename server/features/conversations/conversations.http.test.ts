import { beforeAll, describe, expect, test } from 'vitest';
import { deleteAd, setAdSold } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import * as api from '../../../contract/conversations.ts';
import { releaseAd, reserveAd } from '../../../contract/deals.ts';
import { getConversation, getConversationStatus, sendMessage } from '../../../contract/messages.ts';
import { rateDeal } from '../../../contract/ratings.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  counter,
  createPerson,
  make,
  meet,
  meetWithOffers,
  type Person,
  respond,
  write,
} from '../../../test/harness/deals.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });
const { app } = site;

beforeAll(() => insertCategories(app));

const view = (me: Person, adId: string, other: { id: string }, query = {}) =>
  me.client.ok(api.viewConversation, { params: { adId, otherUserId: other.id }, query });
const actionsOf = async (...of: Parameters<typeof view>) => (await view(...of)).actions;

describe('a conversation', () => {
  test('has its ad and the other person once, beside the messages that the list of messages has', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    await seller.client.ok(sendMessage, {
      body: { adId: ad.id, receiverId: buyer.id, content: 'Write me: me@mail.example' },
    });
    for (const [me, other] of [
      [seller, buyer],
      [buyer, seller],
    ] as const) {
      const params = { adId: ad.id, otherUserId: other.id };
      const listed = await me.client.ok(getConversation, { params });
      const status = await me.client.ok(getConversationStatus, { params });
      const viewed = await view(me, ad.id, other);
      expect(viewed.messages).toEqual(listed.map(({ ad: _ad, sender: _sender, receiver: _receiver, ...rest }) => rest));
      expect(viewed).toMatchObject({ ad: status.ad, other: status.other, reason: null, isBlocked: false, deal: null });
    }
    const { messages } = await view(buyer, ad.id, seller);
    expect(messages.map(({ offer, warning }) => [offer?.id, warning])).toEqual([
      [undefined, undefined],
      [id, undefined],
      [undefined, true],
    ]);
  });

  test('comes in pages, the newest first, each with its head', async () => {
    const { seller, ad, buyer } = await meet(site);
    for (let i = 2; i <= 5; i++) await write(buyer, ad.id, seller);
    const params = { adId: ad.id, otherUserId: buyer.id };
    const newest = await seller.client.call(api.viewConversation, { params, query: { limit: '3' } });
    expect(newest.body.messages).toHaveLength(3);
    const next = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(newest.headers.get('link') ?? '')?.[1];
    const earlier = await seller.client.send(next!);
    expect(earlier.body).toMatchObject({ ad: { id: ad.id }, actions: newest.body.actions });
    expect(earlier.body.messages).toHaveLength(2);
    expect(earlier.headers.get('link')).toBeNull();
  });

  test('shows nothing of itself to a third person', async () => {
    const { seller, ad, buyer } = await meetWithOffers(site);
    const stranger = await createPerson(site);
    expect(await view(stranger, ad.id, buyer)).toMatchObject({ messages: [], deal: null, actions: [] });
    expect(await view(stranger, ad.id, seller)).toMatchObject({ messages: [], deal: null, actions: ['send', 'offer'] });
  });

  test('that has not begun shows neither a hidden ad nor people without a public profile', async () => {
    const { ad, buyer, seller } = await meet(site);
    const banned = await insertUser(app, { banned_at: new Date().toISOString() });
    expect(await view(buyer, ad.id, banned)).toMatchObject({ other: null, actions: [] });
    await app.db('ads').where({ id: ad.id }).update({ state: 'inactive' });
    const stranger = await createPerson(site);
    expect(await view(stranger, ad.id, seller)).toMatchObject({ ad: null, actions: [], messages: [] });
    expect(await view(stranger, '999999999', seller)).toMatchObject({ ad: null, actions: [], messages: [] });
  });

  test('has the newest deal between the two, with what each has rated', async () => {
    const { seller, ad, buyers } = await meet(site, { buyerCount: 2 });
    const [buyer, other] = buyers as [Person, Person];
    await seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true, buyerId: buyer.id } });
    const { deal } = await view(buyer, ad.id, seller);
    expect(deal).toMatchObject({ role: 'buyer', canRate: true, canUndo: true, ownRating: null });
    expect(deal).not.toHaveProperty('ad');
    await buyer.client.ok(rateDeal, { params: { id: deal!.id }, body: { value: 'good' } });
    expect((await view(buyer, ad.id, seller)).deal).toMatchObject({ canRate: false, ownRating: { value: 'good' } });
    expect((await view(seller, ad.id, buyer)).deal).toMatchObject({ role: 'seller', canRate: true, otherRating: null });
    expect(await view(other, ad.id, seller)).toMatchObject({ deal: null, actions: ['send'] });
  });
});

describe('the price that the two agreed on', () => {
  const agree = async () => {
    const met = await meetWithOffers(site, 2);
    const { seller, ad, buyer, id } = met;
    await respond(seller, id, 'accept');
    const read = async () =>
      Promise.all(
        [view(seller, ad.id, buyer), view(buyer, ad.id, seller)].map(async (seen) => (await seen).agreedPrice),
      );
    return { ...met, read };
  };
  const params = ({ ad }: Met) => ({ id: ad.id });

  test('is known to the two alone', async () => {
    const { seller, ad, buyers, read } = await agree();
    expect(await read()).toEqual(['40.00', '40.00']);
    const [buyer, other] = buyers as [Person, Person];
    for (const [me, of] of [
      [seller, other],
      [other, seller],
      [other, buyer],
      [await createPerson(site), seller],
    ] as const)
      expect(await view(me, ad.id, of)).toMatchObject({ agreedPrice: null });
  });

  test('stays after the sale to the buyer, until the ad is for sale again', async () => {
    const met = await agree();
    await met.seller.client.ok(setAdSold, { params: params(met), body: { isSold: true, buyerId: met.buyer.id } });
    expect(await met.read()).toEqual(['40.00', '40.00']);
    await met.seller.client.ok(setAdSold, { params: params(met), body: { isSold: false } });
    expect(await met.read()).toEqual([null, null]);
  });

  test.each<[string, (met: Awaited<ReturnType<typeof agree>>) => unknown]>([
    ['a sale to somebody else', (met) => sell(met)],
    ['a release', (met) => met.buyer.client.ok(releaseAd, { params: params(met) })],
    [
      'a release, also if the seller reserves it again',
      async (met) => {
        await met.buyer.client.ok(releaseAd, { params: params(met) });
        await met.seller.client.ok(reserveAd, { params: params(met), body: { userId: met.buyer.id } });
      },
    ],
    [
      'the end of the reservation',
      ({ ad }) =>
        app.db.raw(
          `update reservations set created_at = now() - interval '8 days', ends_at = now() - interval '1 day'
           where ad_id = ?`,
          [ad.id],
        ),
    ],
  ])('ends with %s', async (_, change) => {
    const met = await agree();
    await change(met);
    expect(await met.read()).toEqual([null, null]);
  });
});

type Met = Awaited<ReturnType<typeof meet>>;
type Offered = Awaited<ReturnType<typeof meetWithOffers>>;
type Actions = readonly api.ConversationAction[];

const sell = ({ seller, ad }: Met) => seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true } });

const PRICED: [string, Parameters<typeof meet>[1] & {}, (met: Met) => unknown, Actions, Actions][] = [
  ['one has written', {}, () => {}, ['send', 'offer', 'reserve'], ['send', 'offer']],
  ['the price is fixed', { fields: { priceType: 'fixed' } }, () => {}, ['send', 'reserve'], ['send']],
  ['something is wanted', { fields: { priceType: 'wanted' } }, () => {}, ['send'], ['send']],
  [
    'it is reserved for the buyer',
    {},
    ({ seller, ad, buyer }) => seller.client.ok(reserveAd, { params: { id: ad.id }, body: { userId: buyer.id } }),
    ['send', 'offer', 'release', 'sell'],
    ['send', 'offer', 'release'],
  ],
  [
    'it is reserved for a third person',
    { buyerCount: 2 },
    ({ seller, ad, buyers }) => seller.client.ok(reserveAd, { params: { id: ad.id }, body: { userId: buyers[1]!.id } }),
    ['send', 'release'],
    ['send'],
  ],
  ['it is sold', {}, sell, ['send'], ['send']],
  [
    'the ad is hidden',
    {},
    ({ ad }) => app.db('ads').where({ id: ad.id }).update({ state: 'inactive' }),
    ['send'],
    ['send'],
  ],
  ['the ad is deleted', {}, ({ seller, ad }) => seller.client.call(deleteAd, { params: { id: ad.id } }), [], []],
  [
    'one blocked the other',
    {},
    ({ seller, buyer }) => buyer.client.ok(blockUser, { params: { userId: seller.id } }),
    [],
    [],
  ],
];

const OFFERED: [string, (met: Offered) => unknown, Actions, Actions][] = [
  ['the buyer offers', () => {}, ['send', 'accept', 'counter', 'decline', 'reserve'], ['send', 'withdraw']],
  [
    'the seller counters',
    ({ seller, id }) => counter(seller, id, '45'),
    ['send', 'withdraw', 'reserve'],
    ['send', 'accept', 'counter', 'decline'],
  ],
  [
    'the seller declines',
    ({ seller, id }) => respond(seller, id, 'decline'),
    ['send', 'offer', 'reserve'],
    ['send', 'offer'],
  ],
  ['they agree', ({ seller, id }) => respond(seller, id, 'accept'), ['send', 'release', 'sell'], ['send', 'release']],
  [
    'it is released after that',
    async ({ seller, ad, id }) => {
      await respond(seller, id, 'accept');
      await seller.client.ok(releaseAd, { params: { id: ad.id } });
    },
    ['send', 'offer', 'reserve'],
    ['send', 'offer'],
  ],
  [
    'another offer is accepted',
    ({ seller, ids }) => respond(seller, ids[1]!, 'accept'),
    ['send', 'decline', 'release'],
    ['send', 'withdraw'],
  ],
  ['it is sold', sell, ['send'], ['send']],
  [
    'the time of the offer is over',
    ({ ad }) =>
      app.db.raw(
        `update offers set created_at = now() - interval '49 hours', expires_at = now() - interval '1 hour' where ad_id = ?`,
        [ad.id],
      ),
    ['send', 'offer', 'reserve'],
    ['send', 'offer'],
  ],
];

/** Does what concerns the newest offer, or makes one. Returns the status of the reply. */
const attempt = async (action: string, by: Person, { ad, other }: { ad: { id: string }; other: Person }) => {
  if (action === 'offer') return (await make(by, ad.id, other)).status;
  const { messages } = await view(by, ad.id, other);
  const { id } = messages.findLast(({ offer }) => offer)!.offer!;
  return (await (action === 'counter' ? counter(by, id, '44') : respond(by, id, action as 'accept'))).status;
};

describe('the actions are those that are possible when', () => {
  test.each(PRICED)('%s', async (_, world, change, ofSeller, ofBuyer) => {
    const met = await meet(site, world);
    await change(met);
    expect(await actionsOf(met.seller, met.ad.id, met.buyer)).toEqual(ofSeller);
    expect(await actionsOf(met.buyer, met.ad.id, met.seller)).toEqual(ofBuyer);
  });

  test.each(OFFERED)('%s', async (_, change, ofSeller, ofBuyer) => {
    const met = await meetWithOffers(site, 2);
    await change(met);
    const { seller, ad, buyer } = met;
    expect(await actionsOf(seller, ad.id, buyer)).toEqual(ofSeller);
    expect(await actionsOf(buyer, ad.id, seller)).toEqual(ofBuyer);
    for (const [by, other, listed] of [
      [seller, buyer, ofSeller],
      [buyer, seller, ofBuyer],
    ] as const) {
      const isAgreed = (await view(by, ad.id, other)).messages.some(({ offer }) => offer?.status === 'accepted');
      // A new offer after the agreement is possible, and pointless.
      for (const action of ['accept', 'counter', 'decline', 'withdraw', 'offer'] as const)
        if (!listed.includes(action) && !(isAgreed && action === 'offer'))
          expect(await attempt(action, by, { ad, other }), action).toBeGreaterThanOrEqual(400);
    }
  });

  test.each(['accept', 'counter', 'decline'])('%s is listed', async (action) => {
    const { seller, ad, buyer } = await meetWithOffers(site);
    expect(await actionsOf(seller, ad.id, buyer)).toContain(action);
    expect(await attempt(action, seller, { ad, other: buyer })).toBeLessThan(300);
  });
});
