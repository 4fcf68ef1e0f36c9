import * as z from 'zod/mini';
import type { Ad } from './ads.ts';
import { LinkToken } from './email.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { PriceTypeName } from './prices.ts';
import { Timestamp } from './scalars.ts';

const DAY_MS = 86_400_000;

/** From three days before its end on, an ad can be renewed. */
export const canRenew = ({ state, isSold, expiresAt }: Pick<Ad, 'state' | 'isSold' | 'expiresAt'>, now: number) =>
  state === 'expired' ||
  ((state === 'active' || state === 'paused') &&
    !isSold &&
    Boolean(expiresAt) &&
    Date.parse(expiresAt!) - now <= LIMITS.renewDays * DAY_MS);

/**
 * What became of the question whether an ad is still available. It can be answered while `open` or `expired`; `renewed`:
 * the ad has another end by now; `hidden`: it waits for review or was taken down.
 */
export const ExpiryState = z.enum(['open', 'expired', 'renewed', 'sold', 'hidden', 'deleted']);
export type ExpiryState = z.output<typeof ExpiryState>;

/** The state of the question about the end at `endsAt`. */
export const getExpiryState = (
  { state, isSold, expiresAt }: { state?: string | undefined } & Pick<Ad, 'isSold' | 'expiresAt'>,
  endsAt: string,
  now: number,
): ExpiryState => {
  if (state === 'deleted') return 'deleted';
  if (isSold) return 'sold';
  if (state !== 'active' && state !== 'paused' && state !== 'expired') return 'hidden';
  if (!expiresAt || Date.parse(expiresAt) !== Date.parse(endsAt)) return 'renewed';
  return state === 'expired' || Date.parse(expiresAt) <= now ? 'expired' : 'open';
};

/** Their words: `expiry-words.ts`. */
export const ExpiryAnswer = z.enum(['renew', 'sold', 'expire']);
export type ExpiryAnswer = z.output<typeof ExpiryAnswer>;

export const ExpiryQuestion = z.object({
  ad: z.object({
    id: z.string(),
    title: z.string(),
    price: z.string(),
    priceType: PriceTypeName,
    thumbUrl: z.nullable(z.string()),
  }),
  state: ExpiryState,
  /** When the ad ends; null if it does not. */
  expiresAt: z.nullable(Timestamp),
});
export type ExpiryQuestion = z.output<typeof ExpiryQuestion>;

export const getExpiryQuestion = endpoint({
  method: 'GET',
  path: '/api/expiry-question',
  summary: 'The ad that the link of a mail is about, and whether it can be renewed; changes nothing',
  access: 'public',
  scope: 'session',
  query: z.object({ token: LinkToken }),
  reply: ExpiryQuestion,
  errors: ['link_invalid', 'link_expired'],
  tags: ['myAds'],
});

export const answerExpiryQuestion = endpoint({
  method: 'POST',
  path: '/api/expiry-question',
  summary: 'Renews the ad of this link, marks it as sold, or lets it expire, on behalf of its owner',
  access: 'public',
  scope: 'session',
  body: z.object({ token: LinkToken, answer: ExpiryAnswer }),
  reply: ExpiryQuestion,
  errors: ['link_invalid', 'link_expired', 'conflict', 'forbidden'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'notifications', 'unreadNotifications'],
});
