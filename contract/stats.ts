import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LANGUAGES } from './languages.ts';
import { says } from './says.ts';

export const SiteStats = z.object({ activeAds: z.number(), users: z.number(), categories: z.number() });
export type SiteStats = z.output<typeof SiteStats>;

export const getSiteStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Active ads, users and categories',
  access: 'public',
  scope: 'public',
  reply: SiteStats,
  shared: true,
  tags: ['ads'],
});

export const getCategoryStats = endpoint({
  method: 'GET',
  path: '/api/categories/stats',
  summary: 'Listed ads of every category, by name or by slug; zeros too',
  access: 'public',
  query: z.object({ by: z.optional(z.enum(['name', 'slug'])) }),
  scope: 'public',
  reply: z.record(z.string(), z.number()),
  shared: true,
  tags: ['ads', 'categories'],
});

export const Category = z.object({
  slug: z.string(),
  name: z.string(),
  emoji: z.string(),
  /** The name of its drawn icon. Null if there is none for the emoji. */
  icon: z.nullable(z.string()),
});
export type Category = z.output<typeof Category>;

/** Without it, the first names that administrators gave: those in the JSON of ads. */
const InLanguage = z.object({ language: z.optional(z.enum(LANGUAGES, says('fields.unknownLanguage'))) });

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/categories',
  summary: 'Categories in their order, with their names in a language',
  access: 'public',
  query: InLanguage,
  scope: 'public',
  reply: z.array(Category),
  shared: true,
  tags: ['categories'],
});

export const getCategory = endpoint({
  method: 'GET',
  path: '/api/categories/:slug',
  summary: 'One category by its slug or name, or a former one; also a disabled category',
  access: 'public',
  scope: 'public',
  params: z.object({ slug: z.string().check(z.maxLength(100)) }),
  query: InLanguage,
  reply: Category,
  shared: true,
  tags: ['categories'],
});
