import { createAd } from '../../contract/ads.ts';
import type { DealRefusal } from '../../contract/deals.ts';
import type { BodyInput } from '../../contract/endpoint.ts';
import { t } from '../../contract/i18n.ts';
import { getConversation, sendMessage } from '../../contract/messages.ts';
import * as api from '../../contract/offers.ts';
import type { UserActor } from '../../server/policy.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { adBody, insertUser } from './factories.ts';

export interface Person {
  id: string;
  name: string;
  actor: UserActor;
  client: Client;
}

export const createPerson = async ({ app, signIn }: Pick<TestApp, 'app' | 'signIn'>): Promise<Person> => {
  const { id, display_name: name } = await insertUser(app);
  return { id, name, actor: { kind: 'user', id, role: 'user' }, client: await signIn(id) };
};

export const write = (from: Person, adId: string, to: Person) =>
  from.client.ok(sendMessage, { body: { adId, receiverId: to.id, content: `Hello from ${from.name}` } });

export const make = (from: Person, adId: string, to: Person, amount = '40') =>
  from.client.call(api.makeOffer, { body: { adId, receiverId: to.id, amount } });

const RESPONSES = { accept: api.acceptOffer, decline: api.declineOffer, withdraw: api.withdrawOffer };

export const respond = (by: Person, id: string, how: keyof typeof RESPONSES) =>
  by.client.call(RESPONSES[how], { params: { id } });

export const counter = (by: Person, id: string, amount: string) =>
  by.client.call(api.counterOffer, { params: { id }, body: { amount } });

export const readThread = (me: Person, adId: string, other: Person) =>
  me.client.ok(getConversation, { params: { adId, otherUserId: other.id } });

/** Amount and status of the offers of a conversation, the oldest first. */
export const readOffers = async (me: Person, adId: string, other: Person) =>
  (await readThread(me, adId, other)).flatMap(({ offer }) => (offer ? [[offer.amount, offer.status]] : []));

/** A seller with a negotiable ad for $50, and buyers who wrote about it. */
export const meet = async (
  site: Pick<TestApp, 'app' | 'signIn'>,
  { buyerCount = 1, fields = {} }: { buyerCount?: number; fields?: Partial<BodyInput<typeof createAd>> } = {},
) => {
  const seller = await createPerson(site);
  const ad = await seller.client.ok(createAd, { body: adBody({ price: '50', priceType: 'negotiable', ...fields }) });
  const buyers: Person[] = [];
  for (let i = 0; i < buyerCount; i++) {
    const buyer = await createPerson(site);
    await write(buyer, ad.id, seller);
    buyers.push(buyer);
  }
  return { seller, ad, buyers, buyer: buyers[0]! };
};

/** Like meet, and each buyer has offered $40. */
export const meetWithOffers = async (site: Pick<TestApp, 'app' | 'signIn'>, buyerCount = 1) => {
  const met = await meet(site, { buyerCount });
  const ids: string[] = [];
  for (const buyer of met.buyers) ids.push((await make(buyer, met.ad.id, met.seller)).body.offer.id);
  return { ...met, ids, id: ids[0]! };
};

/** The response that refuses an action because of the state as it is now. */
export const refusal = (state: DealRefusal) => ({
  status: 409,
  body: { code: 'conflict', message: t(`errors.deal_${state}`), fields: { state } },
});
