import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Id, Price, Timestamp } from './scalars.ts';
import { text } from './text.ts';

const AdParams = z.object({ id: Id });

/** How far the link to the person's X account goes: `none` cannot post, `reauth` must be connected again. */
export const XConnectionStatus = z.enum(['none', 'ok', 'reauth', 'suspended']);
export type XConnectionStatus = z.output<typeof XConnectionStatus>;

export const XPosting = z.object({
  /** How the site posts: not at all, through X's own composer, or by itself for those who agreed. */
  mode: z.enum(['off', 'intent', 'api']),
  status: XConnectionStatus,
  /** When the person agreed; null where they did not, or took it back. */
  adsSince: z.nullable(Timestamp),
  favoritesSince: z.nullable(Timestamp),
  /** What the person chose last in the form; never true before they chose. */
  wantsPost: z.boolean(),
  /** To administrators: X takes no more posts from the whole site since then, and one is tried again then. */
  stopped: z.nullable(z.object({ since: Timestamp, until: Timestamp })),
  /** What posts look like. */
  samples: z.object({ ad: z.string(), favorite: z.string() }),
});
export type XPosting = z.output<typeof XPosting>;

export const getXPosting = endpoint({
  method: 'GET',
  path: '/api/x-posting',
  summary: 'Whether and what the site posts to your X account',
  access: 'user',
  reply: XPosting,
  limit: 'read',
});

export const setXPosting = endpoint({
  method: 'PUT',
  path: '/api/x-posting',
  summary: 'Agrees to posts of ads or favorites, or takes it back',
  access: 'user',
  body: z.object({ ads: z.optional(z.boolean()), favorites: z.optional(z.boolean()) }),
  reply: XPosting,
  limit: 'write',
  errors: ['conflict'],
});

export const disconnectX = endpoint({
  method: 'DELETE',
  path: '/api/x-posting/connection',
  summary: 'Takes back every permission to post; the tokens are revoked and deleted',
  access: 'user',
  reply: XPosting,
  limit: 'write',
});

/** Built as the post is; `…` stands for the number that the ad gets when it is created. */
export const previewXPost = endpoint({
  method: 'POST',
  path: '/api/x-posting/preview',
  changesNothing: true,
  summary: 'The exact text that would be posted about an ad',
  access: 'user',
  body: z.object({ title: text({ max: LIMITS.title, required: 'Title is required' }), price: Price }),
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
  /** Where it can be seen on X. */
  url: z.nullable(z.string()),
  /** Why it is not there, for a person. */
  reason: z.nullable(z.string()),
  username: z.nullable(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** The person it belongs to may ask for another try. */
  canRetry: z.boolean(),
});
export type XPost = z.output<typeof XPost>;

export const listXPosts = endpoint({
  method: 'GET',
  path: '/api/ads/:id/x-posts',
  summary: 'What was posted to X about an ad: the own post to its seller, all of them to administrators',
  access: 'user',
  params: AdParams,
  reply: z.array(XPost),
  limit: 'read',
  errors: ['not_found'],
});

export const retryXPost = endpoint({
  method: 'POST',
  path: '/api/ads/:id/x-posts/retry',
  summary: 'Tries again to post the own ad, after a failure or a lost answer',
  access: 'user',
  params: AdParams,
  reply: XPost,
  limit: 'write',
  errors: ['not_found', 'conflict'],
});
