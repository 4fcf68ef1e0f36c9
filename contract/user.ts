import * as z from 'zod/mini';
import { Timestamp } from './scalars.ts';

/** The public profile of a user. A deleted user and a password-only administrator have no username. */
export const User = z.object({
  id: z.string(),
  username: z.nullable(z.string()),
  displayName: z.string(),
  avatar: z.nullable(z.string()),
  isVerified: z.boolean(),
  isPremium: z.boolean(),
  xAccountCreated: z.nullable(Timestamp),
  joinDate: Timestamp,
  createdAt: Timestamp,
});
export type User = z.output<typeof User>;

export const Me = z.extend(User, {
  role: z.enum(['user', 'admin']),
  email: z.nullable(z.string()),
  twitterId: z.nullable(z.string()),
  canLinkOut: z.boolean(),
  hasPassword: z.boolean(),
});
export type Me = z.output<typeof Me>;
