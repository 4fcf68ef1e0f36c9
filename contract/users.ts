import * as z from 'zod/mini';
import { Ad } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { LANGUAGES } from './languages.ts';
import { says } from './says.ts';
import { IdParams, PageQuery, Timestamp, Username } from './scalars.ts';
import { User } from './user.ts';

export const Profile = z.object({
  user: User,
  ads: z.array(Ad),
  stats: z.object({
    totalAds: z.number(),
    activeAds: z.number(),
    soldAds: z.number(),
    totalViews: z.number(),
    joinDate: Timestamp,
    /** How many people follow the seller; for the seller only. */
    followers: z.optional(z.number()),
  }),
});
export type Profile = z.output<typeof Profile>;

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/users/:username/profile',
  summary: 'A seller: public fields, ads and statistics',
  access: 'public',
  scope: 'profile:read',
  params: z.object({ username: Username }),
  query: z.extend(PageQuery, { status: z.optional(z.enum(['active', 'sold'])) }),
  reply: Profile,
  paged: true,
  tags: ['profiles'],
});

export const listUserAds = endpoint({
  method: 'GET',
  path: '/api/users/:id/ads',
  summary: "A user's ads: all of them for that user and administrators, the public ones for everyone else",
  access: 'public',
  scope: 'ads:read',
  params: IdParams,
  query: PageQuery,
  reply: z.array(Ad),
  paged: true,
  tags: ['myAds'],
});

export const UserStats = z.object({
  totalViews: z.number(),
  totalAds: z.number(),
  activeAds: z.number(),
  soldAds: z.number(),
  likedAds: z.number(),
  followers: z.number(),
  topAds: z.array(Ad),
});
export type UserStats = z.output<typeof UserStats>;

export const getMyStats = endpoint({
  method: 'GET',
  path: '/api/users/me/stats',
  summary: "The signed-in user's statistics",
  access: 'user',
  scope: 'profile:read',
  reply: UserStats,
  tags: ['myAds', 'favorites'],
});

export const exportMyData = endpoint({
  method: 'GET',
  path: '/api/users/me/export',
  summary: 'Everything stored about the signed-in user, as one JSON document',
  access: 'user',
  scope: 'session',
  whileSuspended: true,
  reply: z.record(z.string(), z.unknown()),
  limit: 'exportData',
});

export const setLanguage = endpoint({
  method: 'PUT',
  path: '/api/users/me/language',
  summary: 'Chooses the language of the pages, and of the mails and notifications to this user',
  access: 'user',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ language: z.enum(LANGUAGES, says('fields.unknownLanguage')) }),
});

export const deleteMe = endpoint({
  method: 'DELETE',
  path: '/api/users/me',
  summary: 'Deletes the signed-in user: profile, ads, images, favorites, sessions and X tokens',
  access: 'user',
  scope: 'session',
  whileSuspended: true,
  errors: ['last_admin'],
});
