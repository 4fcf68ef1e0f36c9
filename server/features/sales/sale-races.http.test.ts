import { beforeAll, describe, expect, test } from 'vitest';
import { setAdStatus } from '../../../contract/admin.ts';
import { createAd, setAdSold } from '../../../contract/ads.ts';
import * as api from '../../../contract/deals.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { acceptOffer, makeOffer } from '../../../contract/offers.ts';
import { rateDeal } from '../../../contract/ratings.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser, nextSerial, SETTLED } from '../../../test/harness/factories.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

const createPerson = async () => {
  const { id } = await insertUser(app, SETTLED);
  return { id, client: await signIn(id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const meet = async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  const { id } = await seller.client.ok(createAd, { body: adBody({ priceType: 'negotiable' }) });
  await buyer.client.ok(sendMessage, {
    body: { adId: id, receiverId: seller.id, content: `Hello ${nextSerial()}` },
  });
  return { seller, buyer, id };
};
const sell = (seller: Person, id: string, buyer?: Person) =>
  seller.client.call(setAdSold, { params: { id }, body: { isSold: true, ...(buyer && { buyerId: buyer.id }) } });
const relist = (seller: Person, id: string) =>
  seller.client.call(setAdSold, { params: { id }, body: { isSold: false } });
const meetAndSell = async () => {
  const met = await meet();
  await sell(met.seller, met.id, met.buyer);
  const { id: dealId } = await met.buyer.client.ok(api.getDeal, { params: { id: met.id } });
  return { ...met, dealId };
};
const rate = (rater: Person, dealId: string) =>
  rater.client.call(rateDeal, { params: { id: dealId }, body: { value: 'good' } });
const undo = (buyer: Person, dealId: string) => buyer.client.call(api.undoPurchase, { params: { dealId } });
const figureOf = ({ id }: Person) => app.db('users').where({ id }).first('rated_deals', 'rated_good');
const ROUNDS = Array.from({ length: 8 }, (_, round) => ({ round }));

describe('at the same time', () => {
  test.each(ROUNDS)('a sale elsewhere and the acceptance of an offer leave a sold ad ($round)', async () => {
    const { seller, buyer, id } = await meet();
    const body = { adId: id, receiverId: seller.id, amount: '10' };
    const offer = (await buyer.client.ok(makeOffer, { body })).offer!;
    const [sold, accepted] = await Promise.all([
      sell(seller, id),
      seller.client.call(acceptOffer, { params: { id: offer.id } }),
    ]);
    expect(sold.status).toBe(200);
    if (accepted.status !== 200) expect(accepted).toMatchObject({ status: 409, body: { fields: { state: 'void' } } });
    expect(await app.db('reservations').where({ ad_id: id })).toEqual([]);
    const { status } = await app.db('offers').where({ id: offer.id }).first('status');
    expect(status).toBe(accepted.status === 200 ? 'accepted' : 'void');
  });

  test.each(ROUNDS)('both people release the ad and see that it is free ($round)', async () => {
    const { seller, buyer, id } = await meet();
    await seller.client.ok(api.reserveAd, { params: { id }, body: { userId: buyer.id } });
    const params = { id };
    const replies = await Promise.all([seller, buyer].map(({ client }) => client.ok(api.releaseAd, { params })));
    for (const reply of replies) expect(reply).not.toHaveProperty('isReserved');
  });

  test.each(ROUNDS)('a purchase is undone or rated, whichever comes first ($round)', async () => {
    const { seller, buyer, dealId } = await meetAndSell();
    const [undone, rated] = await Promise.all([undo(buyer, dealId), rate(seller, dealId)]);
    const isUndone = undone.status === 204;
    expect([undone.status, rated.status]).toEqual(isUndone ? [204, 404] : [409, 201]);
    expect(await app.db('deals').where({ id: dealId })).toHaveLength(isUndone ? 0 : 1);
    expect(await app.db('ratings').where({ deal_id: dealId })).toHaveLength(isUndone ? 0 : 1);
  });

  test.each(ROUNDS)(
    'an ad that is available again keeps its deal if, and only if, the rating came first ($round)',
    async () => {
      const { seller, buyer, id, dealId } = await meetAndSell();
      const [relisted, rated] = await Promise.all([relist(seller, id), rate(buyer, dealId)]);
      expect(relisted.status).toBe(200);
      const deals = await app.db('deals').where({ id: dealId }).select('closed_at');
      const ratings = await app.db('ratings').where({ deal_id: dealId });
      if (rated.status === 201) {
        expect(ratings).toHaveLength(1);
        expect(deals).toEqual([{ closed_at: expect.any(String) }]);
      } else {
        expect(rated.status).toBe(404);
        expect([deals, ratings]).toEqual([[], []]);
      }
      expect((await sell(seller, id, buyer)).status).toBe(200);
      expect(await app.db('deals').where({ ad_id: id, closed_at: null })).toHaveLength(1);
    },
  );

  test.each(ROUNDS)('a sale and an ad that is available again agree in the end ($round)', async () => {
    const { seller, buyer, id } = await meetAndSell();
    await Promise.all([relist(seller, id), sell(seller, id, buyer), relist(seller, id), sell(seller, id, buyer)]);
    const { is_sold } = await app.db('ads').where({ id }).first('is_sold');
    expect(await app.db('deals').where({ ad_id: id })).toHaveLength(is_sold ? 1 : 0);
  });
});

test('a buyer who has seen both ratings cannot take them back', async () => {
  const { seller, buyer, dealId } = await meetAndSell();
  await rate(seller, dealId);
  await rate(buyer, dealId);
  expect([await figureOf(seller), await figureOf(buyer)]).toEqual([
    { rated_deals: 1, rated_good: 1 },
    { rated_deals: 1, rated_good: 1 },
  ]);
  const deal = await buyer.client.ok(api.getDeal, {
    params: { id: (await app.db('deals').where({ id: dealId }).first()).ad_id },
  });
  expect(deal).toMatchObject({
    canRate: false,
    ownRating: { value: 'good', isRevealed: true },
    otherRating: { value: 'good', role: 'seller', rater: { id: seller.id, rating: { deals: 1, positive: 100 } } },
  });
  expect((await undo(buyer, dealId)).status).toBe(409);
  expect([await figureOf(seller), await figureOf(buyer)]).toEqual([
    { rated_deals: 1, rated_good: 1 },
    { rated_deals: 1, rated_good: 1 },
  ]);
});

test('neither sees what the other has written before both have rated', async () => {
  const { seller, buyer, id, dealId } = await meetAndSell();
  await rate(seller, dealId);
  const read = ({ client }: Person) => client.ok(api.getDeal, { params: { id } });
  expect(await read(buyer)).toMatchObject({ canRate: true, ownRating: null, otherRating: null });
  expect(await read(seller)).toMatchObject({ canRate: false, ownRating: { isRevealed: false }, otherRating: null });
});

test('staff see the buyer and the person of the reservation in the panel; others do not see the buyer', async () => {
  const { seller, buyer, id } = await meetAndSell();
  const staff = await signIn((await insertUser(app, { role: 'moderator' })).id);
  const decide = () => staff.ok(setAdStatus, { params: { id }, body: { status: 'active' } });
  expect(await decide()).toMatchObject({ id, isSold: true, buyer: { id: buyer.id } });
  expect(await seller.client.call(setAdSold, { params: { id }, body: { isSold: true } })).not.toHaveProperty(
    'body.buyer',
  );
  await relist(seller, id);
  await seller.client.ok(api.reserveAd, { params: { id }, body: { userId: buyer.id } });
  const seen = await decide();
  expect(seen).toMatchObject({ reservedFor: { id: buyer.id } });
  expect(seen).not.toHaveProperty('buyer');
});
