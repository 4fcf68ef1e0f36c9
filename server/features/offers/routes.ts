import { LIMITS } from '../../../contract/limits.ts';
import type { Message } from '../../../contract/messages.ts';
import * as api from '../../../contract/offers.ts';
import type { AppContext } from '../../app-context.ts';
import type { MessageRow } from '../../db/rows.ts';
import { route } from '../../endpoints/define.ts';
import type { UserActor } from '../../policy.ts';
import { readMessages } from '../messages/read-messages.ts';
import { readNegotiations } from './read-negotiations.ts';
import { acceptOffer, counterOffer, declineOffer, makeOffer, withdrawOffer } from './service.ts';

const readOne = async (ctx: AppContext, row: MessageRow, actor: UserActor): Promise<Message> =>
  (await readMessages(ctx, [row], actor))[0]!;

export const offerRoutes = [
  route(api.listNegotiations, async ({ ctx, actor, query, reply }) => {
    const paging = { ...query, limit: query.limit ?? LIMITS.pageSize };
    const { negotiations, page } = await readNegotiations(ctx, actor, paging);
    reply.page(page);
    return negotiations;
  }),

  route(api.makeOffer, ({ actor, body, once }) =>
    once(async (ctx) => readOne(ctx, await makeOffer(ctx, actor, body), actor)),
  ),

  route(api.acceptOffer, async ({ ctx, actor, params }) =>
    readOne(ctx, await acceptOffer(ctx, actor, params.id), actor),
  ),

  route(api.declineOffer, async ({ ctx, actor, params }) =>
    readOne(ctx, await declineOffer(ctx, actor, params.id), actor),
  ),

  route(api.withdrawOffer, async ({ ctx, actor, params }) =>
    readOne(ctx, await withdrawOffer(ctx, actor, params.id), actor),
  ),

  route(api.counterOffer, ({ actor, params, body, once }) =>
    once(async (ctx) => readOne(ctx, await counterOffer(ctx, actor, params.id, body.amount), actor)),
  ),
];
