import { beforeAll, expect, test } from 'vitest';
import { setAdSold } from '../../../contract/ads.ts';
import { releaseAd, reserveAd } from '../../../contract/deals.ts';
import * as api from '../../../contract/offers.ts';
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
import { insertCategories } from '../../../test/harness/factories.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(site.app));

const list = (of: Person) => of.client.ok(api.listNegotiations);

test('the buyer has the newest offer of each conversation, and who made it', async () => {
  const { seller, ad, buyer, id } = await meetWithOffers(site);
  expect(await list(buyer)).toMatchObject([
    { ad: { id: ad.id }, seller: { id: seller.id }, offer: { id, amount: '40.00', status: 'open', isOwn: true } },
  ]);
  const { body } = await counter(seller, id, '45');
  expect(await list(buyer)).toMatchObject([{ offer: { id: body.offer.id, amount: '45.00', isOwn: false } }]);
  await respond(buyer, body.offer.id, 'decline');
  expect(await list(buyer)).toMatchObject([{ offer: { status: 'declined' } }]);
});

test('the buyer has what is reserved for them, also without an offer, until it is released', async () => {
  const { seller, ad, buyer } = await meet(site, { fields: { priceType: 'fixed' } });
  const params = { id: ad.id };
  expect(await list(buyer)).toEqual([]);
  await seller.client.ok(reserveAd, { params, body: { userId: buyer.id } });
  expect(await list(buyer)).toMatchObject([
    { ad: { id: ad.id, reservation: 'own', reservedUntil: expect.any(String) }, offer: null },
  ]);
  await buyer.client.ok(releaseAd, { params });
  expect(await list(buyer)).toEqual([]);
});

test('nobody else has it, and a reservation for another person does not say whose it is', async () => {
  const { seller, ad, buyers, ids } = await meetWithOffers(site, 2);
  const [buyer, other] = buyers as [Person, Person];
  await respond(seller, ids[0]!, 'accept');
  expect(await list(buyer)).toMatchObject([{ ad: { reservation: 'own' }, offer: { status: 'accepted' } }]);
  const [seen] = await list(other);
  expect(seen).toMatchObject({ ad: { id: ad.id, reservation: 'elsewhere' }, offer: { id: ids[1] } });
  expect(seen?.ad).not.toHaveProperty('reservedUntil');
  expect(JSON.stringify(seen)).not.toContain(buyer.name);
  expect(await list(seller)).toEqual([]);
  expect(await list(await createPerson(site))).toEqual([]);
});

test('what is sold to the buyer is among their purchases instead, and what is sold elsewhere stays', async () => {
  const { seller, ad, buyers } = await meetWithOffers(site, 2);
  const [buyer, other] = buyers as [Person, Person];
  await seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true, buyerId: buyer.id } });
  expect(await list(buyer)).toEqual([]);
  expect(await list(other)).toMatchObject([{ ad: { id: ad.id, isSold: true }, offer: { status: 'void' } }]);
});

test('comes in pages, the newest message first', async () => {
  const buyer = await createPerson(site);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { seller, ad } = await meet(site);
    await make(buyer, ad.id, seller);
    if (i === 0) await write(buyer, ad.id, seller);
    ids.unshift(ad.id);
  }
  const { body, headers } = await buyer.client.call(api.listNegotiations, { query: { limit: '2' } });
  const next = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  const rest = (await buyer.client.send(next!)).body;
  expect([...body, ...rest].map(({ ad }) => ad.id)).toEqual(ids);
  expect(rest).toHaveLength(1);
});
