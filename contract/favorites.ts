import * as z from 'zod/mini';
import { Ad } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { IdParams, PageQuery } from './scalars.ts';

/** A saved ad that is no longer public keeps its title only: no description, images or seller's fields. */
export const Favorite = z.extend(Ad, { isAvailable: z.boolean() });
export type Favorite = z.output<typeof Favorite>;

export const getFavoriteStatus = endpoint({
  method: 'GET',
  path: '/api/ads/:id/favorite-status',
  summary: 'Whether the signed-in user saved the ad',
  access: 'user',
  scope: 'profile:read',
  params: IdParams,
  reply: z.object({ isFavorited: z.boolean() }),
});

export const toggleFavorite = endpoint({
  method: 'POST',
  path: '/api/ads/:id/favorite',
  summary: 'Saves the ad, or removes it when it was saved',
  access: 'user',
  scope: 'profile:write',
  params: IdParams,
  reply: z.object({ isFavorited: z.boolean(), postedToX: z.boolean() }),
  limit: 'favorite',
  invalidates: ['favorites'],
});

export const listFavorites = endpoint({
  method: 'GET',
  path: '/api/user/favorites',
  summary: 'Saved ads, the last saved first',
  access: 'user',
  scope: 'profile:read',
  query: PageQuery,
  reply: z.array(Favorite),
  paged: true,
  tags: ['favorites'],
});

export const listFavoriteIds = endpoint({
  method: 'GET',
  path: '/api/user/favorite-ids',
  summary: 'Ids of the last 1,000 saved ads: what the hearts of a list need',
  access: 'user',
  scope: 'profile:read',
  reply: z.array(z.string()),
});
