import { speaking } from '../../../contract/i18n.ts';
import * as api from '../../../contract/imports.ts';
import type { Language } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { exportMyAds } from '../../../contract/own-ads.ts';
import { parseCursor, toPage } from '../../db/pagination.ts';
import { route } from '../../endpoints/define.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { streamJson } from './json-stream.ts';
import { streamOwnAds } from './own-ads.ts';
import { presentFile, presentImport, presentRow, presentSummary } from './presenter.ts';
import { listImports, listShownRows } from './repository.ts';
import { findOwnImport, type ImportSummary, readImport } from './service.ts';
import { forgetImport, listMistakes, previewUpload, rememberImportChoices, startOwnImport } from './uploads.ts';

const tell = (summary: ImportSummary, language: Language) =>
  speaking(readTexts(language), () => presentSummary(summary));

export const importRoutes = [
  route(exportMyAds, ({ ctx, actor, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="my-ads.json"');
    return reply.stream(streamOwnAds(ctx, actor));
  }),

  route(api.listImports, async ({ ctx, actor, language }) => {
    const rows = await listImports(ctx.db, actor.id);
    return speaking(readTexts(language), () => rows.map(presentImport));
  }),

  route(api.previewImport, async ({ ctx, actor, language, query, streamFile }) => {
    const upload = { ...query, truncate: query.truncate === 'true' };
    const { summary, ...opened } = await previewUpload(ctx, actor, streamFile, upload);
    return { file: presentFile(opened), import: summary && tell(summary, language) };
  }),

  route(api.rememberImportChoices, ({ ctx, actor, params, body }) =>
    rememberImportChoices(ctx, actor, params.kind, body),
  ),

  route(api.getImport, async ({ ctx, actor, language, params }) =>
    tell(await readImport(ctx, actor, params.id), language),
  ),

  route(api.listImportRows, async ({ ctx, actor, language, params, query, reply }) => {
    const { id } = await findOwnImport(ctx, actor, params.id);
    const { kind, cursor, limit = LIMITS.pageSize } = query;
    const after = Math.min(Number(parseCursor(cursor) ?? 0), 2 ** 31 - 1);
    const rows = await listShownRows(ctx.db, id, { kind, after, limit: limit + 1 });
    const page = toPage(rows, limit, ({ position }) => String(position));
    reply.page({ nextCursor: page.nextCursor });
    return speaking(readTexts(language), () => page.rows.map(presentRow));
  }),

  route(api.listImportMistakes, async ({ ctx, actor, language, params, reply }) => {
    const { id } = await findOwnImport(ctx, actor, params.id);
    return reply.stream(streamJson(listMistakes(ctx, id, language)));
  }),

  route(api.startImport, async ({ ctx, actor, request, language, params, body }) => {
    const { asDrafts = false, allOrNothing = false, pauseMissing = false } = body;
    const options = { asDrafts, allOrNothing, pauseMissing };
    return tell(await startOwnImport(ctx, actor, params.id, options, { requestId: request.id }), language);
  }),

  route(api.deleteImport, ({ ctx, actor, params }) => forgetImport(ctx, actor, params.id)),
];
