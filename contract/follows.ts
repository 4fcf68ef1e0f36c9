import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { PageQuery, Timestamp, UserIdParams } from './scalars.ts';
import { User } from './user.ts';

/** A followed person. `isAvailable` is false while the profile cannot be opened. */
export const Follow = z.object({ user: User, isAvailable: z.boolean(), createdAt: Timestamp });
export type Follow = z.output<typeof Follow>;

export const listFollows = endpoint({
  method: 'GET',
  path: '/api/follows',
  summary: 'The people whom the signed-in user follows, newest first',
  access: 'user',
  scope: 'profile:read',
  query: PageQuery,
  reply: z.array(Follow),
  paged: true,
  tags: ['follows'],
});

export const getFollow = endpoint({
  method: 'GET',
  path: '/api/follows/:userId',
  summary: 'Whether the signed-in user follows this person',
  access: 'user',
  scope: 'profile:read',
  params: UserIdParams,
  reply: z.object({ isFollowing: z.boolean() }),
  tags: ['follows'],
});

export const followUser = endpoint({
  method: 'PUT',
  path: '/api/follows/:userId',
  summary: 'Follows a person: the signed-in user is notified about their new ads',
  access: 'user',
  scope: 'profile:write',
  params: UserIdParams,
  reply: Follow,
  errors: ['conflict'],
  invalidates: ['follows'],
});

export const unfollowUser = endpoint({
  method: 'DELETE',
  path: '/api/follows/:userId',
  summary: 'Stops following a person',
  access: 'user',
  scope: 'profile:write',
  params: UserIdParams,
  invalidates: ['follows'],
});
