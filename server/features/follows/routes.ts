import * as api from '../../../contract/follows.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { route } from '../../endpoints/define.ts';
import { type Actor, maySeeProfile } from '../../policy.ts';
import { presentUser } from '../users/presenter.ts';
import { type FollowRow, findFollow, listFollows } from './repository.ts';
import { followUser, unfollowUser } from './service.ts';

const presentFollow = (row: FollowRow, actor: Actor, { clock }: Pick<AppContext, 'clock'>): api.Follow => ({
  user: presentUser(row),
  isAvailable: maySeeProfile(actor, row, clock.now()),
  createdAt: row.followed_at,
});

export const followRoutes = [
  route(api.listFollows, async ({ ctx, actor, query, reply }) => {
    const page = await listFollows(ctx.db, actor.id, { cursor: query.cursor, limit: query.limit ?? LIMITS.tableRows });
    reply.page(page);
    return page.rows.map((row) => presentFollow(row, actor, ctx));
  }),

  route(api.getFollow, async ({ ctx, actor, params }) => ({
    isFollowing: (await findFollow(ctx.db, actor.id, params.userId)) !== undefined,
  })),

  route(api.followUser, async ({ ctx, actor, params }) =>
    presentFollow(await followUser(ctx, actor, params.userId), actor, ctx),
  ),

  route(api.unfollowUser, async ({ ctx, actor, params }) => {
    await unfollowUser(ctx, actor, params.userId);
  }),
];
