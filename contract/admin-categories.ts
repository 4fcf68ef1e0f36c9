import * as z from 'zod/mini';
import { CATEGORY_ICONS } from './category-icons.ts';
import { endpoint } from './endpoint.ts';
import { LANGUAGES } from './languages.ts';
import { says, saysTooLong } from './says.ts';
import { Category } from './stats.ts';
import { text } from './text.ts';

export const CATEGORY_LIMITS = {
  name: 50,
  slug: 50,
  /** Ads that a request may move into another category; `marketctl` moves any number. */
  merged: 2000,
} as const;

export const AdminCategory = z.extend(Category, {
  isDisabled: z.boolean(),
  /** In further languages, as administrators wrote them. */
  names: z.array(z.object({ language: z.enum(LANGUAGES), name: z.string() })),
  /** Changes with the category; send it with a change. */
  version: z.string(),
});
export type AdminCategory = z.output<typeof AdminCategory>;

const CountedCategory = z.extend(AdminCategory, {
  /** Those that are listed. */
  ads: z.number(),
});
export type CountedCategory = z.output<typeof CountedCategory>;

const Slug = z
  .string()
  .check(
    z.maxLength(CATEGORY_LIMITS.slug, saysTooLong(CATEGORY_LIMITS.slug)),
    z.regex(/^([a-z0-9]+(-[a-z0-9]+)*)?$/, says('fields.slug')),
  );
const Name = text({ max: CATEGORY_LIMITS.name, required: 'fields.nameRequired' });
const FurtherName = z.object({
  language: z.enum(LANGUAGES, says('fields.unknownLanguage')),
  /** Empty: the category has none of its own in this language. */
  name: text({ max: CATEGORY_LIMITS.name }),
});
const FurtherNames = z.optional(z.array(FurtherName).check(z.maxLength(LANGUAGES.length)));
const Icon = z.enum(CATEGORY_ICONS, says('fields.iconName'));
const Target = z.string().check(z.maxLength(100));

export const listAllCategories = endpoint({
  method: 'GET',
  path: '/api/admin/categories',
  summary: 'All categories in their order, disabled ones too',
  access: 'admin',
  scope: 'admin:read',
  reply: z.array(CountedCategory),
  tags: ['categories'],
});

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/admin/categories',
  summary: 'Adds a category behind the others',
  access: 'admin',
  /** An empty slug is made from the name. */
  body: z.object({ name: Name, slug: Slug, icon: Icon, names: FurtherNames }),
  scope: 'session',
  reply: AdminCategory,
  status: 201,
  errors: ['conflict'],
  invalidates: ['categories'],
});

export const changeCategory = endpoint({
  method: 'PUT',
  path: '/api/admin/categories/:slug',
  summary:
    'Renames a category, also in one language, gives it another slug or icon, switches it off or on; a former slug leads on',
  access: 'admin',
  params: z.object({ slug: Target }),
  /** What is absent, or an empty slug, stays. With `version`, 409 `conflict` if the category has changed since. */
  body: z.object({
    name: z.optional(Name),
    slug: z.optional(Slug),
    icon: z.optional(Icon),
    isDisabled: z.optional(z.boolean()),
    names: FurtherNames,
    version: z.optional(z.string().check(z.maxLength(100))),
  }),
  scope: 'session',
  reply: AdminCategory,
  errors: ['conflict'],
  invalidates: ['categories'],
});

export const moveCategory = endpoint({
  method: 'POST',
  path: '/api/admin/categories/:slug/move',
  summary: 'Puts a category in front of another, or behind all',
  access: 'admin',
  params: z.object({ slug: Target }),
  body: z.object({ before: z.nullable(Target) }),
  scope: 'session',
  reply: AdminCategory,
  status: 200,
  invalidates: ['categories'],
});

export const mergeCategory = endpoint({
  method: 'POST',
  path: '/api/admin/categories/:slug/merge',
  summary: 'Moves all ads and saved searches into another category and deletes this one, whose slug leads there',
  access: 'admin',
  params: z.object({ slug: Target }),
  body: z.object({ into: Target }),
  scope: 'session',
  reply: z.object({ ads: z.number() }),
  status: 200,
  errors: ['conflict'],
  invalidates: ['categories', 'ads', 'adminAds'],
});
