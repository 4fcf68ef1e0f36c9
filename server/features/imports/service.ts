import type { ImportMapping } from '../../../contract/imports.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { getMoney } from '../../../contract/money.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEnglish } from '../../error-phrases.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { type Actor, isSelf, mayPostAd, type UserActor } from '../../policy.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { listAliases, listCategories } from '../categories/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { type CheckedAd, type Choices, checkAd, hashContent, type Market } from './check-ad.ts';
import { findChoices, rememberChoices } from './choices-repository.ts';
import { readOwnValues } from './formats/own.ts';
import { parseAdUrl, toOwnAd } from './own-ads.ts';
import { countPhotos, type FailedPhoto, listFailedPhotos } from './photos-repository.ts';
import { storeProblem } from './phrases.ts';
import { type AdFile, nameKind, openAdFile } from './read-ads.ts';
import { type ImportedAd, type ReadingOptions, UnreadableFile } from './reading/imported-ad.ts';
import {
  type Counts,
  countKinds,
  countMissing,
  deleteImport,
  findImport,
  finishReading,
  type ImportRow,
  insertRows,
  listKnownAds,
  listRepetitions,
  listUnknownCategories,
  lockImport,
  type Running,
  refuseRows,
  replaceImport,
  type StagedRow,
  startRun,
} from './repository.ts';
import { checkCurrency, type RunOptions } from './run.ts';

/** Rows that are checked and stored at a time. */
const BATCH = 500;
const WORDS = 200;

export interface ImportChoices extends ImportMapping, Pick<Partial<Choices>, 'truncate'> {
  /** The name of a format; absent: the file says. */
  format?: string | undefined;
  /** Keeps the ids of several files apart that were made by one program. Default: the name of the format. */
  source?: string | undefined;
}

interface Staging {
  fileName: string;
  /** Absent: no limit. */
  maxRows?: number;
  onProgress?: (rows: number) => void;
}

interface Upload extends Staging {
  bytes: AsyncIterable<Uint8Array>;
}

/** What ads of a file must fit here. */
export const readMarket = async ({ db, config }: AppContext): Promise<Market> => {
  const categories = (await listCategories(db)).filter((category) => !category.is_disabled);
  const slugs = new Set(categories.map(({ slug }) => slug));
  const aliases = (await listAliases(db)).filter(({ slug }) => slugs.has(slug));
  const words = [
    ...aliases.map(({ word, slug }) => [word, slug] as const),
    ...categories.map(({ slug, name }) => [name.toLowerCase(), slug] as const),
    ...categories.map(({ slug }) => [slug, slug] as const),
  ];
  const { maxImagesPerAd } = await readSettings(db);
  return { categories: new Map(words), maxImages: maxImagesPerAd, publicUrl: config.publicUrl };
};

/** What makes a file unreadable is the fault of the file. */
export const asInvalid = (error: unknown): never => {
  if (!(error instanceof UnreadableFile)) throw error;
  throw new AppError('validation_failed', { ...error.phrase, fields: { file: error.phrase ?? error.message } });
};

const HEX = 'hex';

/** What is known of these ads here: by what they were called in an earlier file, or by their address. */
const findKnown = async (
  { db, config: { publicUrl } }: AppContext,
  row: Pick<ImportRow, 'user_id' | 'source'>,
  ads: readonly CheckedAd[],
  market: Market,
): Promise<Map<string, { adId: string; hash: string }>> => {
  const names = ads.map(({ externalId }) => externalId);
  const imported = await listKnownAds(db, row, names);
  const known = new Map(
    // what was missing and returns has changed, whatever it says
    imported.map(({ external_id, ad_id, hash, was_missing }) => [
      external_id,
      { adId: ad_id, hash: was_missing ? '' : hash.toString(HEX) },
    ]),
  );
  const own = await listAdsByIds(
    db,
    names.flatMap((name) => parseAdUrl(publicUrl, name) ?? []),
  );
  for (const ad of own) {
    if (ad.user_id !== row.user_id || ad.state === 'deleted') continue;
    const values = toOwnAd(ad, { publicUrl, currency: getMoney().currency.code });
    const { externalId, content } = checkAd(readOwnValues(values), market, { categories: {}, truncate: false }, 0);
    known.set(externalId, { adId: ad.id, hash: content ? hashContent(content).toString(HEX) : '' });
  }
  return known;
};

const toRows = async (
  ctx: AppContext,
  row: Pick<ImportRow, 'user_id' | 'source'>,
  ads: readonly CheckedAd[],
  { market, from }: { market: Market; from: number },
): Promise<StagedRow[]> => {
  const known = await findKnown(ctx, row, ads, market);
  return ads.map(({ content, unknownCategory, problems, notes, ...ad }, at) => {
    const former = known.get(ad.externalId);
    const hash = content ? hashContent(content).toString(HEX) : null;
    const kind = !content ? 'wrong' : !former ? 'new' : former.hash === hash ? 'same' : 'changed';
    return {
      ...ad,
      position: from + at + 1,
      kind,
      adId: former?.adId ?? null,
      content: content ?? null,
      hash,
      problems: problems.map(storeProblem),
      notes: notes.map(toEnglish),
      notePhrases: notes,
      unknownCategory: unknownCategory ?? null,
    };
  });
};

const tooMany = (most: number) => invalid({ file: { key: 'errors.fileTooMany', values: { max: most } } });

/** A name counts once: later rows with it are wrong. */
const refuseRepetitions = async ({ db }: AppContext, id: string): Promise<void> => {
  const found = await listRepetitions(db, id);
  const toRow = ({ position, first }: (typeof found)[number]) => {
    const what = { key: 'mistakes.sameId', values: { line: String(first) } } as const;
    return { position, problem: storeProblem({ column: '', what, how: { key: 'mistakes.leaveOneOut' } }) };
  };
  for (let at = 0; at < found.length; at += BATCH) await refuseRows(db, id, found.slice(at, at + BATCH).map(toRow));
};

/** Reads the whole file into rows, a batch at a time. Returns how many. */
const stage = async (
  ctx: AppContext,
  row: Pick<ImportRow, 'id' | 'user_id' | 'source'>,
  {
    ads,
    choices,
    market,
    maxRows,
    onProgress,
  }: { ads: AsyncIterable<ImportedAd>; choices: Choices; market: Market } & Omit<Staging, 'fileName'>,
): Promise<number> => {
  let count = 0;
  let batch: CheckedAd[] = [];
  const store = async () => {
    await insertRows(ctx.db, row.id, await toRows(ctx, row, batch, { market, from: count }));
    count += batch.length;
    batch = [];
    onProgress?.(count);
  };
  for await (const ad of ads) {
    if (maxRows !== undefined && count + batch.length >= maxRows) throw tooMany(maxRows);
    batch.push(checkAd(ad, market, choices, count + batch.length));
    if (batch.length === BATCH) await store();
  }
  if (batch.length > 0) await store();
  await refuseRepetitions(ctx, row.id);
  return count;
};

const checkSeller = (ctx: AppContext, actor: UserActor): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    if (!mayPostAd(await lockActiveActor(trx, actor))) throw forbidden('errors.xToPost');
  });

/** A table says nothing about ads before one of its columns is the title. */
export const hasTitle = ({ format, table }: AdFile, columns: ReadingOptions['columns']): boolean =>
  format.name !== 'csv' || Object.values(columns ?? table?.guess ?? {}).includes('title');

/** It runs, or goes on once the job of one that was interrupted begins. */
export const refuseRunning = ({ file_name: file, done, rows }: Running): AppError =>
  conflict('errors.importRuns', { file, done, rows });

interface AdSource extends Staging {
  ads: AsyncIterable<ImportedAd>;
  format: string;
  /** The ads are those of a site whose pictures the operator has: photos may be files there, and a seller may have no ad left. */
  isSite?: boolean;
}

/**
 * Remembers what ads of a person would do: their preview. Nothing becomes an ad before startImport. Replaces the person's former
 * import. @throws {AppError} as previewImport
 */
export const previewAds = async (
  ctx: AppContext,
  actor: UserActor,
  { fileName, ads, format, isSite = false, ...limits }: AdSource,
  choices: ImportChoices = {},
): Promise<string> => {
  await checkSeller(ctx, actor);
  const { code: currency } = getMoney().currency;
  const values = { source: choices.source ?? format, format, currency, file_name: fileName.slice(0, 255) };
  const begun = await inTransaction(ctx.db, (trx) => replaceImport(trx, actor.id, values));
  if ('running' in begun) throw refuseRunning(begun.running);
  const { id } = begun;
  const replaced = () => conflict('errors.importReplaced');
  try {
    const chosen = { categories: choices.categories ?? {}, truncate: choices.truncate ?? false };
    const row = { id, user_id: actor.id, source: values.source };
    const market = { ...(await readMarket(ctx)), takesFiles: isSite };
    const rows = await stage(ctx, row, { ads, choices: chosen, market, ...limits }).catch(asInvalid);
    if (rows === 0 && !isSite) throw invalid({ file: 'errors.fileEmpty' });
    if (!(await finishReading(ctx.db, id, rows))) throw replaced();
    return id;
  } catch (error) {
    throw (await deleteImport(ctx.db, id)) ? error : replaced();
  }
};

/** What is not given, as the person chose it for the last file of this kind. */
const recallChoices = async (
  { db }: AppContext,
  actor: UserActor,
  file: AdFile,
  given: ImportChoices,
): Promise<ImportChoices> => {
  const { columns, decimal, categories } = (await findChoices(db, actor.id, nameKind(file))) ?? {};
  return {
    ...given,
    columns: given.columns ?? columns,
    decimal: given.decimal ?? decimal,
    categories: { ...categories, ...given.categories },
  };
};

/**
 * Reads a file of ads and remembers what it would do, and what its columns and categories mean, for the next of its kind. @throws {AppError} validation_failed (the file cannot be read; what is
 * remembered of it is gone), conflict (an import of this person runs), forbidden
 */
export const previewImport = async (
  ctx: AppContext,
  actor: UserActor,
  { bytes, ...staging }: Upload,
  choices: ImportChoices = {},
): Promise<string> => {
  await checkSeller(ctx, actor);
  const file = await openAdFile(bytes, choices.format).catch(asInvalid);
  const chosen = await recallChoices(ctx, actor, file, choices);
  if (!hasTitle(file, chosen.columns)) throw invalid({ file: 'errors.noTitleColumn' });
  const id = await previewAds(ctx, actor, { ...staging, ads: file.ads(chosen), format: file.format.name }, chosen);
  const { columns, decimal, categories } = chosen;
  if (choices.columns ?? choices.decimal ?? choices.categories)
    await inTransaction(ctx.db, async (trx) => {
      await lockActiveActor(trx, actor);
      await rememberChoices(trx, actor.id, nameKind(file), { columns, decimal, categories });
    });
  return id;
};

/** @throws {AppError} not_found, also for the import of another person, and before its file is read */
export const findOwnImport = async (ctx: AppContext, actor: UserActor, id: string): Promise<ImportRow> => {
  const row = await findImport(ctx.db, id);
  if (row === undefined || row.state === 'reading' || !isSelf(actor, row.user_id))
    throw notFound('errors.importNotFound');
  return row;
};

/** Who begins the import of a person: they themselves, or the operator for them. */
interface StartAudit extends AuditContext {
  by?: Actor;
}

/**
 * Begins to carry out what the preview says; a job does it. @throws {AppError} conflict: it began already, or all or nothing is wanted
 * and rows are wrong
 */
export const startImport = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  options: RunOptions,
  { by = actor, reason, requestId }: StartAudit = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const row = await lockImport(trx, id);
    if (row === undefined || !isSelf(actor, row.user_id)) throw notFound('errors.importNotFound');
    if (row.state !== 'ready') throw conflict('errors.importBegun');
    checkCurrency(row);
    const counts = await countKinds(trx, id);
    if (options.allOrNothing && counts.wrong > 0) throw conflict('errors.wrongRows', { count: counts.wrong });
    await startRun(trx, id, { ...options });
    const details = { ...counts, source: row.source, ...options, reason };
    await recordAudit(trx, by, {
      action: 'ads.import',
      target: ['user', actor.id],
      details,
      ...(requestId && { requestId }),
    });
    await enqueue(trx, 'run-import', { importId: id }, { key: `import ${id}` });
  });

export interface ImportSummary extends ImportRow {
  counts: Counts;
  unknownCategories: { word: string; count: number }[];
  /** Ads of earlier files of this kind that are live and not in this one. */
  missing: number;
  photos: Awaited<ReturnType<typeof countPhotos>> & { failed: FailedPhoto[] };
}

const summarize = async ({ db }: AppContext, row: ImportRow): Promise<ImportSummary> => ({
  ...row,
  counts: await countKinds(db, row.id),
  unknownCategories: await listUnknownCategories(db, row.id, WORDS),
  missing: row.state === 'ready' ? await countMissing(db, row) : 0,
  photos: {
    ...(await countPhotos(db, row.id)),
    failed: await listFailedPhotos(db, row.id, { limit: LIMITS.importPhotosShown }),
  },
});

/** What an import would do, does or did. @throws {AppError} not_found */
export const readImport = async (ctx: AppContext, actor: UserActor, id: string): Promise<ImportSummary> =>
  summarize(ctx, await findOwnImport(ctx, actor, id));
