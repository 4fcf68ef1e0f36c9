import * as api from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { route } from '../../endpoints/define.ts';
import { readConversation } from './read-conversation.ts';

export const conversationRoutes = [
  route(api.viewConversation, async ({ ctx, actor, params, query, reply }) => {
    const paging = { ...query, limit: query.limit ?? LIMITS.pageSizeMax };
    const { conversation, page } = await readConversation(ctx, actor, params, paging);
    reply.page(page);
    return conversation;
  }),
];
