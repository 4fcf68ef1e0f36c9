import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { saysTooLong } from './says.ts';
import { Category } from './stats.ts';

const search = z.string().check(z.maxLength(LIMITS.search, saysTooLong(LIMITS.search)));

/** The same words within one category. */
const SuggestionInCategory = z.object({
  search: z.string(),
  category: z.string(),
  categorySlug: z.string(),
  /** Ads that match, of the newest LIMITS.suggestionSample. */
  count: z.int().check(z.minimum(1)),
});

export const Suggestions = z.object({
  /** Complete searches that begin with the typed one, best first; each has results. */
  searches: z.array(z.string()),
  categories: z.array(Category),
  /** The categories with most ads of the first search that finds some, at most three. */
  inCategories: z.array(SuggestionInCategory),
});
export type Suggestions = z.output<typeof Suggestions>;

/** Suggests only words of ads that are public now. */
export const suggestSearches = endpoint({
  method: 'GET',
  path: '/api/search/suggestions',
  summary: 'What a person who has typed this may be looking for',
  access: 'public',
  scope: 'public',
  query: z.object({ search }),
  reply: Suggestions,
  shared: true,
  hidesBlocked: true,
  limit: 'suggest',
});

/** By the public ads that have the words of the title. */
export const proposeCategory = endpoint({
  method: 'GET',
  path: '/api/search/category',
  summary: 'The slug of the category that fits the title of a new ad; null if none does',
  access: 'public',
  scope: 'public',
  query: z.object({
    title: z.string().check(z.maxLength(LIMITS.search, saysTooLong(LIMITS.search))),
  }),
  reply: z.object({ categorySlug: z.nullable(z.string()) }),
  shared: true,
  limit: 'suggest',
});

export const correctSearch = endpoint({
  method: 'GET',
  path: '/api/search/correction',
  summary: 'The same search with words of public ads in place of those that are probably misspelt; null for none',
  access: 'public',
  scope: 'public',
  query: z.object({ search, category: z.optional(z.string().check(z.maxLength(100))) }),
  reply: z.object({ correction: z.nullable(z.string()) }),
  shared: true,
  limit: 'search',
});
