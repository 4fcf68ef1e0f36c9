import * as api from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { route } from '../../endpoints/define.ts';
import { readConversation } from './read-conversation.ts';
import { readInbox } from './read-inbox.ts';

export const conversationRoutes = [
  route(api.listConversations, async ({ ctx, actor, query, reply }) => {
    const { inbox, page } = await readInbox(ctx, actor, query.cursor);
    reply.page(page);
    return inbox;
  }),

  route(api.viewConversation, async ({ ctx, actor, params, query, reply }) => {
    const paging = { ...query, limit: query.limit ?? LIMITS.pageSizeMax };
    const { conversation, page } = await readConversation(ctx, actor, params, paging);
    reply.page(page);
    return conversation;
  }),
];
