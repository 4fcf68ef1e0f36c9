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
import { type Actor, getUserId, isAdmin } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { getBuiltIn } from './built-in/texts.ts';
import {
  addVersion,
  findCurrentText,
  findVersion,
  listVersions,
  lockTexts,
  type PageTextRow,
  type VersionRow,
} from './repository.ts';
import { findPageText, renderText } from './texts.ts';

/** @throws {AppError} not_found for an imprint without text */
export const readPageText = async (ctx: AppContext, page: TextPage): Promise<PageText> => {
  const found = await findPageText(ctx, page);
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

const toText = (page: TextPage, body: string | null | undefined): string => body ?? getBuiltIn(page)?.text ?? '';

/** No row has this id: the page has always had its built-in text. */
const NO_VERSION = '0';

const readEdited = async (db: Db, page: TextPage, row: PageTextRow | undefined): Promise<EditedPage> => ({
  page,
  text: toText(page, row?.body),
  isBuiltIn: row?.body == null,
  version: row?.id ?? NO_VERSION,
  versions: (await listVersions(db, page)).map(presentVersion),
});

export const getPage = async ({ db }: AppContext, actor: Actor, page: TextPage): Promise<EditedPage> => {
  if (!isAdmin(actor)) throw forbidden();
  return readEdited(db, page, await findCurrentText(db, page));
};

/** Every page whose text can be changed. */
export const listPages = (ctx: AppContext, actor: Actor): Promise<EditedPage[]> =>
  Promise.all(TEXT_PAGES.map((page) => getPage(ctx, actor, page)));

const getVersion = async (db: Db, page: TextPage, id: string): Promise<PageTextRow> => {
  const found = isVersionId(id) ? await findVersion(db, page, id) : undefined;
  if (!found) throw notFound(`The page ${page} has no version ${id}`);
  return found;
};

export const getPageVersion = async (
  { db }: AppContext,
  actor: Actor,
  page: TextPage,
  id: string,
): Promise<{ id: string; text: string }> => {
  if (!isAdmin(actor)) throw forbidden();
  return { id, text: toText(page, (await getVersion(db, page, id)).body) };
};

export const previewPage = async (ctx: AppContext, actor: Actor, text: string): Promise<RenderedText> => {
  if (!isAdmin(actor)) throw forbidden();
  return renderText(ctx, text);
};

interface Change {
  action: 'page.update' | 'page.restore' | 'page.reset';
  body: (trx: Trx) => string | null | Promise<string | null>;
  version?: string | undefined;
}

/** Stores, publishes and records a text that differs from the present one. */
const changePage = (
  { db }: AppContext,
  actor: Actor,
  page: TextPage,
  { action, body, version }: Change,
  { requestId, reason }: AuditContext,
): Promise<EditedPage> =>
  inTransaction(db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockTexts(trx);
    const before = await findCurrentText(trx, page);
    if (version !== undefined && version !== (before?.id ?? NO_VERSION))
      throw conflict('The page was changed in the meantime');
    const text = await body(trx);
    if (text === (before?.body ?? null)) return readEdited(trx, page, before);
    const after = await addVersion(trx, page, text, getUserId(actor));
    const details = {
      before: before?.id ?? null,
      after: after.id,
      characters: text === null ? null : countCharacters(text),
      reason,
    };
    await recordAudit(trx, actor, { action, target: ['page', page], details, requestId });
    return readEdited(trx, page, after);
  });

/** @throws {AppError} conflict when the page has changed since `version` */
export const updatePage = (
  ctx: AppContext,
  actor: Actor,
  page: TextPage,
  { text, version }: { text: string; version?: string | undefined },
  audit: AuditContext = {},
): Promise<EditedPage> => changePage(ctx, actor, page, { action: 'page.update', body: () => text, version }, audit);

/** @throws {AppError} not_found, and conflict when the page has changed since `version` */
export const restorePage = (
  ctx: AppContext,
  actor: Actor,
  page: TextPage,
  { id, version }: { id: string; version?: string | undefined },
  audit: AuditContext = {},
): Promise<EditedPage> => {
  const body = async (trx: Trx) => (await getVersion(trx, page, id)).body;
  return changePage(ctx, actor, page, { action: 'page.restore', body, version }, audit);
};

/** Brings the built-in text back; the page's own stays in the history. */
export const resetPage = (
  ctx: AppContext,
  actor: Actor,
  page: TextPage,
  audit: AuditContext = {},
): Promise<EditedPage> => changePage(ctx, actor, page, { action: 'page.reset', body: () => null }, audit);
