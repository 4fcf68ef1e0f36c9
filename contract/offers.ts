import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Message, MessageAd, Offer } from './messages.ts';
import { Amount, Id, IdParams, PageQuery } from './scalars.ts';
import { User } from './user.ts';

/** What a person may buy, but has not: the ad says whether it is reserved. */
export const Negotiation = z.object({
  ad: MessageAd,
  seller: User,
  /** The newest one between the two. null: the seller reserved the ad without one. */
  offer: z.nullable(z.extend(Offer, { isOwn: z.boolean() })),
});
export type Negotiation = z.output<typeof Negotiation>;

export const listNegotiations = endpoint({
  method: 'GET',
  path: '/api/offers',
  summary:
    'The ads of other people for which there is an offer or a reservation of the signed-in user, newest message first',
  access: 'user',
  scope: 'messages:read',
  query: PageQuery,
  reply: z.array(Negotiation),
  paged: true,
  // a notification of what the seller did invalidates "deals"
  tags: ['conversation', 'deals'],
});

/**
 * An offer is a message with a price for a negotiable ad. To the seller it may be the first one; the limits of first
 * messages apply then. Refused with 409 while the ad is
 * not available, reserved for another person, or has an open offer in this conversation; `fields.state` says which
 * (DEAL_REFUSALS in deals.ts).
 */
export const makeOffer = endpoint({
  method: 'POST',
  path: '/api/offers',
  summary: 'Offers the seller, or a person who wrote, a price for a negotiable ad',
  access: 'user',
  scope: 'offers:write',
  body: z.object({ adId: Id, receiverId: Id, amount: Amount }),
  reply: Message,
  status: 201,
  limit: 'message',
  idempotent: true,
  errors: ['messages_not_allowed', 'forbidden', 'conflict'],
  invalidates: ['inbox', 'conversation'],
});

/** Accepting reserves the ad for the buyer of the conversation. 409 with the offer's status as it is now. */
export const acceptOffer = endpoint({
  method: 'POST',
  path: '/api/offers/:id/accept',
  summary: 'Accepts an open offer of the other person: the ad is reserved for the buyer',
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  reply: Message,
  errors: ['forbidden', 'conflict'],
  invalidates: ['inbox', 'conversation', 'ad', 'ads', 'myAds', 'profiles'],
});

export const declineOffer = endpoint({
  method: 'POST',
  path: '/api/offers/:id/decline',
  summary: 'Declines an open offer of the other person',
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  reply: Message,
  errors: ['forbidden', 'conflict'],
  invalidates: ['inbox', 'conversation'],
});

export const withdrawOffer = endpoint({
  method: 'POST',
  path: '/api/offers/:id/withdraw',
  summary: 'Withdraws an own open offer',
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  reply: Message,
  errors: ['forbidden', 'conflict'],
  invalidates: ['inbox', 'conversation'],
});

export const counterOffer = endpoint({
  method: 'POST',
  path: '/api/offers/:id/counter',
  summary: 'Responds to an open offer of the other person with another price; the reply is the new offer',
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  body: z.object({ amount: Amount }),
  reply: Message,
  status: 201,
  limit: 'message',
  idempotent: true,
  errors: ['messages_not_allowed', 'forbidden', 'conflict'],
  invalidates: ['inbox', 'conversation'],
});
