import * as z from 'zod/mini';
import { Settings } from './admin.ts';
import { endpoint } from './endpoint.ts';
import { LANGUAGES } from './languages.ts';
import { LIMITS } from './limits.ts';
import { says, saysTooLong } from './says.ts';
import { isWebUrl } from './scalars.ts';
import { text } from './text.ts';

export const BRAND_LIMITS = {
  name: 50,
  shortName: 30,
  headline: 80,
  line: 160,
  links: 8,
  label: 40,
  logoBytes: 1_000_000,
} as const;

export const BrandLink = z.object({
  label: text({ max: BRAND_LIMITS.label, required: 'fields.linkText' }),
  url: z.string().check(
    z.maxLength(LIMITS.externalLink, saysTooLong(LIMITS.externalLink)),
    z.refine(isWebUrl, {
      ...says('fields.httpAddress'),
      params: { json: { pattern: '^[hH][tT][tT][pP][sS]?://.+' } },
    }),
  ),
});
export type BrandLink = z.output<typeof BrandLink>;

/** The words of a brand in a further language. An empty one: the built-in one, or as in the first language. */
const BrandTranslation = z.object({
  language: z.enum(LANGUAGES),
  headline: text({ max: BRAND_LIMITS.headline }),
  tagline: text({ max: BRAND_LIMITS.line }),
  footerLine: text({ max: BRAND_LIMITS.line }),
});
export type BrandTranslation = z.output<typeof BrandTranslation>;

export const Brand = z.object({
  name: text({ max: BRAND_LIMITS.name, required: 'fields.nameBlank' }),
  /** Below the icon on a home screen. Empty: the name. */
  shortName: text({ max: BRAND_LIMITS.shortName }),
  /** What buttons and links are derived from (`palette.ts`). */
  accent: z.string().check(z.regex(/^#[0-9a-f]{6}$/, says('fields.colour'))),
  headline: text({ max: BRAND_LIMITS.headline, required: 'fields.headlineBlank' }),
  tagline: text({ max: BRAND_LIMITS.line }),
  /** Below the name in the footer. */
  footerLine: text({ max: BRAND_LIMITS.line }),
  translations: z.array(BrandTranslation).check(z.maxLength(LANGUAGES.length)),
  isBeta: z.boolean(),
  homeCountry: Settings.shape.homeCountry,
  /** Of a person who has chosen none. */
  theme: z.enum(['light', 'dark', 'system'], says('fields.theme')),
  links: z
    .array(BrandLink)
    .check(z.maxLength(BRAND_LIMITS.links, says('fields.linksMost', { max: BRAND_LIMITS.links }))),
});
export type Brand = z.output<typeof Brand>;

export const VersionedBrand = z.extend(Brand, {
  /** The address of the logo; null for the built-in mark. */
  logo: z.nullable(z.string()),
  /** Changes with the brand; send it with an update. */
  version: z.string(),
});
export type VersionedBrand = z.output<typeof VersionedBrand>;

/** What is absent stays as it is. */
const BrandInput = z.extend(z.partial(Brand), {
  /** The version that was edited: 409 `conflict` if the brand has changed since. Without it the last write wins. */
  version: z.optional(z.string().check(z.maxLength(100))),
});
export type BrandInput = z.output<typeof BrandInput>;

export const getBrand = endpoint({
  method: 'GET',
  path: '/api/admin/brand',
  summary: "The marketplace's brand",
  access: 'admin',
  scope: 'admin:read',
  reply: VersionedBrand,
});

export const updateBrand = endpoint({
  method: 'PUT',
  path: '/api/admin/brand',
  summary: 'Changes the brand; pages and mails show it within a second',
  access: 'admin',
  scope: 'session',
  body: BrandInput,
  reply: VersionedBrand,
  errors: ['conflict'],
});

export const resetBrand = endpoint({
  method: 'DELETE',
  path: '/api/admin/brand',
  summary: 'Brings the brand back to the defaults; the home country stays',
  access: 'admin',
  scope: 'session',
  status: 200,
  reply: VersionedBrand,
});

export const setLogo = endpoint({
  method: 'PUT',
  path: '/api/admin/brand/logo',
  summary: 'Takes the file of the logo; icons and share picture are made from it',
  access: 'admin',
  scope: 'session',
  bodyTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'],
  bodyLimit: BRAND_LIMITS.logoBytes,
  reply: VersionedBrand,
  errors: ['invalid_image', 'image_worker_failed'],
});

export const removeLogo = endpoint({
  method: 'DELETE',
  path: '/api/admin/brand/logo',
  summary: 'Brings the built-in mark back',
  access: 'admin',
  scope: 'session',
  status: 200,
  reply: VersionedBrand,
});
