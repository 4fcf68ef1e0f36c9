import * as z from 'zod/mini';
import { Ad } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { MessageAd } from './messages.ts';
import { OwnRating, Rating } from './ratings.ts';
import { Id, IdParams, PageQuery, Timestamp } from './scalars.ts';
import { User } from './user.ts';

/** Why something about offers, reservations and deals is refused (409): `fields.state` of the error. Their texts are in messages/en/errors.json. */
export const DEAL_REFUSALS = [
  'deleted',
  'unavailable',
  'sold',
  'reserved',
  'fixed_price',
  'has_open_offer',
  'accepted',
  'declined',
  'countered',
  'withdrawn',
  'expired',
  'void',
  'rated',
  'has_rating',
  'too_late',
] as const;
export type DealRefusal = (typeof DEAL_REFUSALS)[number];

export const reserveAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:id/reservation',
  summary: `Reserves one of the own ads for a person who wrote about it, for ${LIMITS.reservationDays} days; a repetition changes nothing`,
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  body: z.object({ userId: Id }),
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'conversation', 'inbox'],
});

export const releaseAd = endpoint({
  method: 'DELETE',
  path: '/api/ads/:id/reservation',
  summary: 'Ends the reservation of an ad, for its owner or the person who has it; changes nothing if there is none',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  reply: Ad,
  errors: ['forbidden'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'conversation', 'inbox'],
});

/** Whom the owner may name as the buyer. */
export const listBuyers = endpoint({
  method: 'GET',
  path: '/api/ads/:id/buyers',
  summary: 'The people who wrote about one of the own ads, newest first',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  query: PageQuery,
  reply: z.array(User),
  paged: true,
  errors: ['forbidden'],
  tags: ['buyers'],
});

/** A sale to a person, as one of the two sees it. */
export const Deal = z.object({
  id: z.string(),
  role: z.enum(['seller', 'buyer']),
  ad: MessageAd,
  other: User,
  createdAt: Timestamp,
  /** Until then both may rate, and the buyer may undo the deal if neither has. */
  endsAt: Timestamp,
  canRate: z.boolean(),
  canUndo: z.boolean(),
  ownRating: z.nullable(OwnRating),
  /** The other person's rating, once both have rated or the time is over. */
  otherRating: z.nullable(Rating),
});
export type Deal = z.output<typeof Deal>;

export const listPurchases = endpoint({
  method: 'GET',
  path: '/api/purchases',
  summary: 'What the signed-in user bought, newest first',
  access: 'user',
  scope: 'ads:read',
  query: PageQuery,
  reply: z.array(Deal),
  paged: true,
  tags: ['deals'],
});

export const listSales = endpoint({
  method: 'GET',
  path: '/api/sales',
  summary: 'What the signed-in user sold to a person, newest first',
  access: 'user',
  scope: 'ads:read',
  query: PageQuery,
  reply: z.array(Deal),
  paged: true,
  tags: ['deals'],
});

/** 404 for everyone but the two. */
export const getDeal = endpoint({
  method: 'GET',
  path: '/api/ads/:id/deal',
  summary: 'The newest deal about an ad in which the signed-in user took part',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  reply: Deal,
  tags: ['deals'],
});

export const undoPurchase = endpoint({
  method: 'DELETE',
  path: '/api/purchases/:dealId',
  summary: `Undoes a deal that nobody has rated, within ${LIMITS.ratingDays} days, because the signed-in user did not buy this`,
  access: 'user',
  scope: 'offers:write',
  params: z.object({ dealId: Id }),
  errors: ['conflict'],
  invalidates: ['deals', 'ratings', 'profiles', 'conversation'],
});
