import * as z from 'zod/mini';
import { Timestamp } from './scalars.ts';

/** Roles in rising order: each may do what the roles before it may. */
export const ROLES = ['user', 'moderator', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.output<typeof Role>;

/** The public profile of a user. A deleted user and a password-only administrator have no username. */
export const User = z.object({
  id: z.string(),
  username: z.nullable(z.string()),
  /** Of a deleted user "Deleted user": programs show what their language calls one. */
  displayName: z.string(),
  isDeleted: z.optional(z.literal(true)),
  avatar: z.nullable(z.string()),
  isVerified: z.boolean(),
  isPremium: z.boolean(),
  xAccountCreated: z.nullable(Timestamp),
  joinDate: Timestamp,
  createdAt: Timestamp,
  /** Absent until a public rating counts. `positive`: percent of good ones. */
  rating: z.optional(z.object({ deals: z.number(), positive: z.number() })),
  /** In how many minutes this seller usually answers a first message: the median of the last 20. Absent below 5. */
  answerMinutes: z.optional(z.number()),
});
export type User = z.output<typeof User>;

export const Me = z.extend(User, {
  role: Role,
  email: z.nullable(z.string()),
  twitterId: z.nullable(z.string()),
  canLinkOut: z.boolean(),
  hasPassword: z.boolean(),
  /** Until then the session reaches only endpoints with `whileSuspended`; null for users in good standing. */
  suspendedUntil: z.nullable(Timestamp),
});
export type Me = z.output<typeof Me>;
