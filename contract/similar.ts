import * as z from 'zod/mini';
import { Ad } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { IdParams } from './scalars.ts';

/** At most eight. Never the ad itself, the viewer's own, hidden or sold ads. */
export const listSimilarAds = endpoint({
  method: 'GET',
  path: '/api/ads/:id/similar',
  summary: 'Ads of the same category with words of the title and a similar price',
  access: 'public',
  scope: 'ads:read',
  params: IdParams,
  reply: z.array(Ad),
  shared: 'signed-out',
  limit: 'search',
  tags: ['ads'],
});

/** At most four, the newest first. Never the ad itself, the viewer's own, hidden or sold ads. */
export const listMoreFromSeller = endpoint({
  method: 'GET',
  path: '/api/ads/:id/more-from-seller',
  summary: 'Other ads of the same seller',
  access: 'public',
  scope: 'ads:read',
  params: IdParams,
  reply: z.array(Ad),
  shared: 'signed-out',
  tags: ['ads'],
});
