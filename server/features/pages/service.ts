import type { Language } from '../../../contract/languages.ts';
import {
  type EditedPage,
  isVersionId,
  type PageText,
  type PageVersion,
  type RenderedText,
  TEXT_PAGES,
  type TextPage,
} from '../../../contract/page-texts.ts';
import { countCharacters } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';
import { toLocaleOf } from '../../lib/locales.ts';
import { type Actor, getUserId, isAdmin } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { getBuiltIn } from './built-in/texts.ts';
import { chooseText } from './choose.ts';
import {
  addVersion,
  findVersion,
  listCurrentTexts,
  listVersions,
  lockTexts,
  type PageTextRow,
  type Sheet,
  type VersionRow,
} from './repository.ts';
import { findPageText, renderText } from './texts.ts';

/**
 * For readers of a language; of one that the marketplace does not speak, as of its first.
 * @throws {AppError} not_found for an imprint without text
 */
export const readPageText = async (ctx: AppContext, page: TextPage, code?: Language): Promise<PageText> => {
  const { locales } = ctx.config;
  const language = locales.find((known) => known === code) ?? toLocaleOf(ctx.config, undefined);
  const found = await findPageText(ctx, { page, language });
  if (!found) throw notFound();
  return found;
};

const presentVersion = ({ id, created_at, username, characters }: VersionRow): PageVersion => ({
  id,
  savedAt: created_at,
  savedBy: username,
  isBuiltIn: characters === null,
  characters: characters ?? 0,
});

const toText = ({ page, language }: Sheet, body: string | null | undefined): string =>
  body ?? getBuiltIn(page, language)?.text ?? '';

/** No row has this id: the page has always had its built-in text. */
const NO_VERSION = '0';

/** Which page is edited, in which of the marketplace's languages: by default in the first. */
interface Edited {
  page: TextPage;
  language?: string | undefined;
}

const toSheet = ({ config }: AppContext, { page, language }: Edited): Sheet => ({
  page,
  language: toLocaleOf(config, language),
});

const findOwn = (rows: readonly PageTextRow[], { page, language }: Sheet): PageTextRow | undefined =>
  rows.find((row) => row.page === page && row.language === language);

const readEdited = async ({ config }: AppContext, db: Db, sheet: Sheet): Promise<EditedPage> => {
  const rows = await listCurrentTexts(db);
  const own = findOwn(rows, sheet);
  return {
    ...sheet,
    shown: chooseText(rows, sheet, config.locales)?.language ?? sheet.language,
    text: toText(sheet, own?.body),
    isBuiltIn: own?.body == null,
    version: own?.id ?? NO_VERSION,
    versions: (await listVersions(db, sheet)).map(presentVersion),
  };
};

export const getPage = async (ctx: AppContext, actor: Actor, edited: Edited): Promise<EditedPage> => {
  if (!isAdmin(actor)) throw forbidden();
  return readEdited(ctx, ctx.db, toSheet(ctx, edited));
};

/** Every page whose text can be changed. */
export const listPages = (ctx: AppContext, actor: Actor, language?: string): Promise<EditedPage[]> =>
  Promise.all(TEXT_PAGES.map((page) => getPage(ctx, actor, { page, language })));

const getVersion = async (db: Db, sheet: Sheet, id: string): Promise<PageTextRow> => {
  const found = isVersionId(id) ? await findVersion(db, sheet, id) : undefined;
  if (!found) throw notFound('errors.noVersion', { page: sheet.page, id });
  return found;
};

export const getPageVersion = async (
  ctx: AppContext,
  actor: Actor,
  edited: Edited,
  id: string,
): Promise<{ id: string; text: string }> => {
  if (!isAdmin(actor)) throw forbidden();
  const sheet = toSheet(ctx, edited);
  return { id, text: toText(sheet, (await getVersion(ctx.db, sheet, id)).body) };
};

export const previewPage = async (
  ctx: AppContext,
  actor: Actor,
  text: string,
  language?: string,
): Promise<RenderedText> => {
  if (!isAdmin(actor)) throw forbidden();
  return renderText(ctx, text, toLocaleOf(ctx.config, language));
};

interface Change {
  action: 'page.update' | 'page.restore' | 'page.reset';
  body: (trx: Trx, sheet: Sheet) => string | null | Promise<string | null>;
  version?: string | undefined;
}

/** Stores, publishes and records a text that differs from the present one. */
const changePage = async (
  ctx: AppContext,
  actor: Actor,
  edited: Edited,
  { action, body, version }: Change,
  { requestId, reason }: AuditContext,
): Promise<EditedPage> => {
  const sheet = toSheet(ctx, edited);
  return inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockTexts(trx);
    const before = findOwn(await listCurrentTexts(trx), sheet);
    if (version !== undefined && version !== (before?.id ?? NO_VERSION)) throw conflict('errors.pageChanged');
    const text = await body(trx, sheet);
    if (text === (before?.body ?? null)) return readEdited(ctx, trx, sheet);
    const after = await addVersion(trx, sheet, text, getUserId(actor));
    const details = {
      language: sheet.language,
      before: before?.id ?? null,
      after: after.id,
      characters: text === null ? null : countCharacters(text),
      reason,
    };
    await recordAudit(trx, actor, { action, target: ['page', sheet.page], details, requestId });
    return readEdited(ctx, trx, sheet);
  });
};

/** @throws {AppError} conflict when the page has changed since `version` */
export const updatePage = (
  ctx: AppContext,
  actor: Actor,
  edited: Edited,
  { text, version }: { text: string; version?: string | undefined },
  audit: AuditContext = {},
): Promise<EditedPage> => changePage(ctx, actor, edited, { action: 'page.update', body: () => text, version }, audit);

/** @throws {AppError} not_found, and conflict when the page has changed since `version` */
export const restorePage = (
  ctx: AppContext,
  actor: Actor,
  edited: Edited,
  { id, version }: { id: string; version?: string | undefined },
  audit: AuditContext = {},
): Promise<EditedPage> => {
  const body = async (trx: Trx, sheet: Sheet) => (await getVersion(trx, sheet, id)).body;
  return changePage(ctx, actor, edited, { action: 'page.restore', body, version }, audit);
};

/** Takes the own text away: the page shows what it would without it. The text stays in the history. */
export const resetPage = (
  ctx: AppContext,
  actor: Actor,
  edited: Edited,
  audit: AuditContext = {},
): Promise<EditedPage> => changePage(ctx, actor, edited, { action: 'page.reset', body: () => null }, audit);
