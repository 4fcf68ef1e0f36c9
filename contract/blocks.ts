import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { PageQuery, Timestamp, UserIdParams } from './scalars.ts';
import { User } from './user.ts';

export const Block = z.object({ user: User, createdAt: Timestamp });
export type Block = z.output<typeof Block>;

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/blocks',
  summary: 'The people whom the signed-in user blocked, newest first',
  access: 'user',
  scope: 'profile:read',
  query: PageQuery,
  reply: z.array(Block),
  paged: true,
  tags: ['blocks'],
});

export const getBlock = endpoint({
  method: 'GET',
  path: '/api/blocks/:userId',
  summary: 'Whether the signed-in user blocked this person',
  access: 'user',
  scope: 'profile:read',
  params: UserIdParams,
  reply: z.object({ isBlocked: z.boolean() }),
  tags: ['blocks'],
});

export const blockUser = endpoint({
  method: 'PUT',
  path: '/api/blocks/:userId',
  summary: 'Blocks a person: neither writes to the other, and their ads leave the lists of the signed-in user',
  access: 'user',
  scope: 'profile:write',
  params: UserIdParams,
  reply: Block,
  errors: ['conflict'],
  invalidates: ['blocks', 'follows', 'ad', 'ads', 'myAds', 'conversation', 'inbox'],
});

export const unblockUser = endpoint({
  method: 'DELETE',
  path: '/api/blocks/:userId',
  summary: 'Ends a block',
  access: 'user',
  scope: 'profile:write',
  params: UserIdParams,
  invalidates: ['blocks', 'ads', 'conversation', 'inbox'],
});
