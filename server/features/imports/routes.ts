import * as api from '../../../contract/imports.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { exportMyAds } from '../../../contract/own-ads.ts';
import { parseCursor, toPage } from '../../db/pagination.ts';
import { route } from '../../endpoints/define.ts';
import { streamJson } from './json-stream.ts';
import { streamOwnAds } from './own-ads.ts';
import { presentFile, presentImport, presentRow, presentSummary } from './presenter.ts';
import { listImports, listShownRows } from './repository.ts';
import { findOwnImport, readImport } from './service.ts';
import { forgetImport, listMistakes, previewUpload, rememberImportChoices, startOwnImport } from './uploads.ts';

export const importRoutes = [
  route(exportMyAds, ({ ctx, actor, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="my-ads.json"');
    return reply.stream(streamOwnAds(ctx, actor));
  }),

  route(api.listImports, async ({ ctx, actor }) => (await listImports(ctx.db, actor.id)).map(presentImport)),

  route(api.previewImport, async ({ ctx, actor, query, streamFile }) => {
    const upload = { ...query, truncate: query.truncate === 'true' };
    const { summary, ...opened } = await previewUpload(ctx, actor, streamFile, upload);
    return { file: presentFile(opened), import: summary && presentSummary(summary) };
  }),

  route(api.rememberImportChoices, ({ ctx, actor, params, body }) =>
    rememberImportChoices(ctx, actor, params.kind, body),
  ),

  route(api.getImport, async ({ ctx, actor, params }) => presentSummary(await readImport(ctx, actor, params.id))),

  route(api.listImportRows, async ({ ctx, actor, params, query, reply }) => {
    const { id } = await findOwnImport(ctx, actor, params.id);
    const { kind, cursor, limit = LIMITS.pageSize } = query;
    const after = Math.min(Number(parseCursor(cursor) ?? 0), 2 ** 31 - 1);
    const rows = await listShownRows(ctx.db, id, { kind, after, limit: limit + 1 });
    const page = toPage(rows, limit, ({ position }) => String(position));
    reply.page({ nextCursor: page.nextCursor });
    return page.rows.map(presentRow);
  }),

  route(api.listImportMistakes, async ({ ctx, actor, params, reply }) => {
    const { id } = await findOwnImport(ctx, actor, params.id);
    return reply.stream(streamJson(listMistakes(ctx, id)));
  }),

  route(api.startImport, async ({ ctx, actor, params, body }) => {
    const { asDrafts = false, allOrNothing = false, pauseMissing = false } = body;
    return presentSummary(await startOwnImport(ctx, actor, params.id, { asDrafts, allOrNothing, pauseMissing }));
  }),

  route(api.deleteImport, ({ ctx, actor, params }) => forgetImport(ctx, actor, params.id)),
];
