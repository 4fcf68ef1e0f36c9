import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/reports.ts';
import { route } from '../../endpoints/define.ts';
import { appealBan, appealDecision, getBan } from './appeals.ts';
import { decideCase } from './decide.ts';
import { listOwnDecisions } from './decision-repository.ts';
import { presentDecision } from './presenter.ts';
import { countCases, createReport, getCase, listCases, readCasePhoto } from './service.ts';

export const reportRoutes = [
  route(api.createReport, async ({ ctx, actor, body, reply, request }) => {
    const { id, isNew } = await createReport(ctx, actor, body, request.ip);
    if (!isNew) reply.status(200);
    return { id, status: 'open' as const };
  }),

  route(api.listCases, async ({ ctx, actor, language, query, reply }) => {
    const paging = { ...query, limit: query.limit ?? LIMITS.pageSize };
    const { cases, nextCursor } = await listCases(ctx, actor, paging, language);
    reply.page({ nextCursor });
    return cases;
  }),

  route(api.countOpenCases, async ({ ctx, actor }) => ({ open: await countCases(ctx, actor) })),

  route(api.getCase, ({ ctx, actor, language, params }) => getCase(ctx, actor, params.id, language)),

  route(api.viewCasePhoto, ({ ctx, actor, params, reply }) => {
    reply.header('ETag', `"${params.photoId}-${params.size}"`);
    return readCasePhoto(ctx, actor, params);
  }),

  route(api.decideCase, async ({ ctx, actor, language, params, body, request }) => {
    await decideCase(ctx, actor, params.id, body, { requestId: request.id });
    return getCase(ctx, actor, params.id, language);
  }),

  route(api.listMyDecisions, async ({ ctx, actor, query, reply }) => {
    const page = await listOwnDecisions(ctx.db, actor.id, { ...query, limit: query.limit ?? LIMITS.pageSize });
    reply.page(page);
    return page.rows.map((row) => presentDecision(row, ctx.clock.now()));
  }),

  route(api.appealDecision, ({ ctx, actor, params, body }) => appealDecision(ctx, actor, params.id, body.text)),

  route(api.getBan, ({ ctx, query }) => getBan(ctx, query.token)),

  route(api.appealBan, ({ ctx, body }) => appealBan(ctx, body.token, body.text)),
];
