import * as api from '../../../contract/blocks.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { route } from '../../endpoints/define.ts';
import { presentUser } from '../users/presenter.ts';
import { type BlockRow, findBlock, listBlocks } from './repository.ts';
import { blockUser, unblockUser } from './service.ts';

const presentBlock = (row: BlockRow): api.Block => ({ user: presentUser(row), createdAt: row.blocked_at });

export const blockRoutes = [
  route(api.listBlocks, async ({ ctx, actor, query, reply }) => {
    const page = await listBlocks(ctx.db, actor.id, { cursor: query.cursor, limit: query.limit ?? LIMITS.tableRows });
    reply.page(page);
    return page.rows.map(presentBlock);
  }),

  route(api.getBlock, async ({ ctx, actor, params }) => ({
    isBlocked: (await findBlock(ctx.db, actor.id, params.userId)) !== undefined,
  })),

  route(api.blockUser, async ({ ctx, actor, params }) => presentBlock(await blockUser(ctx, actor, params.userId))),

  route(api.unblockUser, async ({ ctx, actor, params }) => {
    await unblockUser(ctx, actor, params.userId);
  }),
];
