import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { PriceTypeName } from './prices.ts';
import { IdParams, Price, Timestamp } from './scalars.ts';
import { text } from './text.ts';

/** The state of the link to the user's X account: `none` cannot post, `reauth` must be connected again. */
export const XConnectionStatus = z.enum(['none', 'ok', 'reauth', 'suspended']);
export type XConnectionStatus = z.output<typeof XConnectionStatus>;

export const XPosting = z.object({
  /** How the site posts: not at all (`off`), through X's composer (`intent`), or itself with consent (`api`). */
  mode: z.enum(['off', 'intent', 'api']),
  status: XConnectionStatus,
  /** When the user agreed; null without consent. */
  adsSince: z.nullable(Timestamp),
  favoritesSince: z.nullable(Timestamp),
  wantsPost: z.boolean(),
  /** For administrators: X has accepted no posts from the whole site since `since`; the next attempt is at `until`. */
  stopped: z.nullable(z.object({ since: Timestamp, until: Timestamp })),
  samples: z.object({ ad: z.string(), favorite: z.string() }),
});
export type XPosting = z.output<typeof XPosting>;

export const getXPosting = endpoint({
  method: 'GET',
  path: '/api/x-posting',
  summary: 'Whether and what the site posts to your X account',
  access: 'user',
  scope: 'profile:read',
  reply: XPosting,
});

export const setXPosting = endpoint({
  method: 'PUT',
  path: '/api/x-posting',
  summary: 'Gives or withdraws consent to posts about ads or favorites',
  access: 'user',
  scope: 'session',
  body: z.object({ ads: z.optional(z.boolean()), favorites: z.optional(z.boolean()) }),
  reply: XPosting,
  errors: ['conflict'],
});

export const disconnectX = endpoint({
  method: 'DELETE',
  path: '/api/x-posting/connection',
  summary: 'Withdraws every permission to post; the tokens are revoked and deleted',
  access: 'user',
  scope: 'session',
  reply: XPosting,
});

export const previewXPost = endpoint({
  method: 'POST',
  path: '/api/x-posting/preview',
  changesNothing: true,
  summary: 'The exact text that would be posted about an ad',
  access: 'user',
  scope: 'ads:read',
  body: z.object({
    title: text({ max: LIMITS.title, required: 'fields.titleRequired' }),
    price: Price,
    priceType: z._default(PriceTypeName, 'fixed'),
  }),
  reply: z.object({ text: z.string() }),
  limit: 'read',
});

export const XPostStatus = z.enum(['pending', 'sending', 'posted', 'failed', 'skipped', 'unknown']);
export type XPostStatus = z.output<typeof XPostStatus>;

export const XPost = z.object({
  id: z.string(),
  kind: z.enum(['ad', 'favorite']),
  status: XPostStatus,
  text: z.string(),
  url: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  username: z.nullable(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  canRetry: z.boolean(),
});
export type XPost = z.output<typeof XPost>;

export const listXPosts = endpoint({
  method: 'GET',
  path: '/api/ads/:id/x-posts',
  summary: 'Posts to X about an ad: the seller sees their own, administrators see all',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  reply: z.array(XPost),
});

export const retryXPost = endpoint({
  method: 'POST',
  path: '/api/ads/:id/x-posts/retry',
  summary: "Tries again to post the user's own ad, after a failure or a lost response",
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  reply: XPost,
  errors: ['conflict'],
});
