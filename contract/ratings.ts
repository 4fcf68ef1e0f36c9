import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { IdParams, PageQuery, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { User } from './user.ts';

export const RATING_VALUES = ['good', 'neutral', 'bad'] as const;
export type RatingValue = (typeof RATING_VALUES)[number];
const Value = z.enum(RATING_VALUES, says('fields.chooseRating'));

export const RATING_TAGS = [
  'friendly',
  'quick',
  'as_described',
  'punctual',
  'no_show',
  'not_as_described',
  'slow',
] as const;
export type RatingTag = (typeof RATING_TAGS)[number];
/** What may be said of a deal that was rated so. */
export const TAGS_OF: Record<RatingValue, readonly RatingTag[]> = {
  good: ['friendly', 'quick', 'as_described', 'punctual'],
  neutral: RATING_TAGS,
  bad: ['no_show', 'not_as_described', 'slow'],
};
const Tag = z.enum(RATING_TAGS, says('fields.unknownTag'));

/** What a person wrote about a deal. */
export const OwnRating = z.object({
  id: z.string(),
  value: Value,
  tags: z.array(Tag),
  text: z.string(),
  createdAt: Timestamp,
  /** Public: both have rated, or the time is over. */
  isRevealed: z.boolean(),
  /** Staff removed it from public view. */
  isRemoved: z.boolean(),
});
export type OwnRating = z.output<typeof OwnRating>;

/** A public rating. Of a deleted account, `rater` is "Deleted user". */
export const Rating = z.object({
  id: z.string(),
  value: Value,
  tags: z.array(Tag),
  text: z.string(),
  createdAt: Timestamp,
  /** What the rater was in the deal. */
  role: z.enum(['seller', 'buyer']),
  rater: User,
  reply: z.nullable(z.string()),
  repliedAt: z.nullable(Timestamp),
});
export type Rating = z.output<typeof Rating>;

export const rateDeal = endpoint({
  method: 'POST',
  path: '/api/deals/:id/rating',
  summary: `Rates the other person of a deal, once, within ${LIMITS.ratingDays} days`,
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  body: z.object({
    value: Value,
    tags: z._default(
      z.array(Tag).check(
        z.maxLength(RATING_TAGS.length),
        z.refine((tags) => new Set(tags).size === tags.length, {
          ...says('fields.tagsOnce'),
          params: { json: { uniqueItems: true } },
        }),
      ),
      [],
    ),
    text: z._default(text({ max: LIMITS.rating, multiline: true }), ''),
  }),
  reply: OwnRating,
  status: 201,
  errors: ['conflict'],
  invalidates: ['deals', 'ratings', 'profiles', 'conversation'],
});

export const listRatings = endpoint({
  method: 'GET',
  path: '/api/users/:id/ratings',
  summary: 'Public ratings of a person, newest first',
  access: 'public',
  scope: 'public',
  params: IdParams,
  query: PageQuery,
  reply: z.array(Rating),
  paged: true,
  tags: ['ratings'],
});

export const replyToRating = endpoint({
  method: 'POST',
  path: '/api/ratings/:id/reply',
  summary: 'Replies in public to a public rating of oneself, once',
  access: 'user',
  scope: 'offers:write',
  params: IdParams,
  body: z.object({ text: text({ max: LIMITS.rating, required: 'fields.replyRequired', multiline: true }) }),
  reply: Rating,
  status: 201,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ratings', 'deals'],
});
