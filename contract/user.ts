import * as z from 'zod/mini';
import { Timestamp } from './scalars.ts';

/** A person as everyone may see them. A deleted user and a password-only administrator have no username. */
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

/** The signed-in user, to themselves. */
export const Me = z.extend(User, {
  role: z.enum(['user', 'admin']),
  email: z.nullable(z.string()),
  twitterId: z.nullable(z.string()),
  /** May put an external link on their ads. */
  canLinkOut: z.boolean(),
  /** Signed in with a password: may change it. */
  hasPassword: z.boolean(),
});
export type Me = z.output<typeof Me>;
