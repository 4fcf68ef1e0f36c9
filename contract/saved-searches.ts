import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { AdFilter, readFilters } from './filters.ts';
import { t } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { IdParams, Timestamp } from './scalars.ts';
import { text } from './text.ts';

/** `instantly`: at most one notification in ten minutes. `daily`: at most one a day. `never`: new ads are only counted. */
export const SEARCH_FREQUENCIES = ['instantly', 'daily', 'never'] as const;
export type SearchFrequency = (typeof SEARCH_FREQUENCIES)[number];

const name = text({
  max: LIMITS.searchName,
  required: 'fields.nameIsRequired',
  tooLong: 'fields.nameTooLong',
});
const frequency = z.enum(SEARCH_FREQUENCIES, says('fields.chooseFrequency'));

const filterValue = z.nullish(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** The query of `listAds`; its cursor, limit and order, and unknown parameters are dropped. */
const filters = z.pipe(
  z.record(z.string(), filterValue),
  z.transform((given: Record<string, z.output<typeof filterValue>>, context) => {
    const pairs = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
    const { sort: _, ...known } = readFilters(new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])));
    const problem = AdFilter.safeParse(known).error?.issues[0]?.message;
    if (problem !== undefined || Object.keys(known).length === 0)
      context.issues.push({ code: 'custom', message: problem ?? t('fields.chooseFilter'), input: given });
    return known;
  }),
);

export const SavedSearch = z.object({
  id: z.string(),
  name: z.string(),
  frequency: z.enum(SEARCH_FREQUENCIES),
  /** The query of `listAds`. */
  filters: z.record(z.string(), z.string()),
  /** Public ads that matched since the search was last opened, at most LIMITS.countCap. */
  newCount: z.number(),
  createdAt: Timestamp,
});
export type SavedSearch = z.output<typeof SavedSearch>;

export const listSavedSearches = endpoint({
  method: 'GET',
  path: '/api/saved-searches',
  summary: 'The saved searches of the signed-in user, newest first; at most 20',
  access: 'user',
  scope: 'searches:read',
  reply: z.array(SavedSearch),
  tags: ['savedSearches'],
});

export const createSavedSearch = endpoint({
  method: 'POST',
  path: '/api/saved-searches',
  summary: 'Saves a search: ads that become public from now on are counted, and notify its owner',
  access: 'user',
  scope: 'searches:write',
  body: z.object({ name, frequency, filters }),
  reply: SavedSearch,
  status: 201,
  idempotent: true,
  errors: ['conflict'],
  invalidates: ['savedSearches'],
});

export const updateSavedSearch = endpoint({
  method: 'PATCH',
  path: '/api/saved-searches/:id',
  summary: 'Changes the name or the frequency of a saved search',
  access: 'user',
  scope: 'searches:write',
  params: IdParams,
  body: z.object({ name: z.optional(name), frequency: z.optional(frequency) }),
  reply: SavedSearch,
  invalidates: ['savedSearches'],
});

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/api/saved-searches/:id',
  summary: 'Deletes a saved search',
  access: 'user',
  scope: 'searches:write',
  params: IdParams,
  invalidates: ['savedSearches'],
});

export const markSavedSearchSeen = endpoint({
  method: 'POST',
  path: '/api/saved-searches/:id/seen',
  summary: 'Sets the number of new ads of a saved search to zero',
  access: 'user',
  scope: 'searches:write',
  params: IdParams,
  invalidates: ['savedSearches'],
});
