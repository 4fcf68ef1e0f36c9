import * as z from 'zod/mini';

const word = z.string().check(z.maxLength(500));

/** What an operator decides about a site: `--suggest` writes it, with what it knows, and they fill in the rest. */
export const SiteMapping = z.object({
  /** The text of an ad that comes along, if it has several. */
  language: z.optional(word),
  /** Slugs by the paths of the site's categories; '' leaves it to their names. */
  categories: z.optional(z.record(word, word)),
  /** Who the people of the site are here. Ads of those without `as` stay behind. */
  sellers: z.optional(
    z.record(
      word,
      z.object({
        name: z.optional(z.string()),
        email: z.optional(z.string()),
        ads: z.optional(z.number()),
        /** An id or @handle. */
        as: word,
      }),
    ),
  ),
});
export type SiteMapping = z.output<typeof SiteMapping>;
