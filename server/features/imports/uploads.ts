import { speaking, t } from '../../../contract/i18n.ts';
import type { ImportField, ImportFormat, ImportMapping } from '../../../contract/imports.ts';
import type { Language } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { sayStored } from '../../error-phrases.ts';
import { readTexts } from '../../lib/catalogs.ts';
import type { UserActor } from '../../policy.ts';
import type { AuditContext } from '../audit/repository.ts';
import { checkUploader } from '../images/photos.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findChoices, rememberChoices } from './choices-repository.ts';
import { listFailedPhotos } from './photos-repository.ts';
import { sayProblem } from './phrases.ts';
import { type AdFile, nameKind, openAdFile } from './read-ads.ts';
import { deleteImport, listRows } from './repository.ts';
import type { RunOptions } from './run.ts';
import {
  asInvalid,
  findOwnImport,
  hasTitle,
  type ImportSummary,
  previewAds,
  readImport,
  refuseRunning,
  startImport,
} from './service.ts';

interface Upload {
  fileName: string;
  format?: ImportFormat | undefined;
  source?: string | undefined;
  truncate?: boolean;
}

/** What a file is, and what its columns and categories mean to this person. */
export interface OpenedFile {
  file: AdFile;
  kind: string;
  /** Of a table. */
  columns: Readonly<Record<string, ImportField | ''>> | undefined;
  choices: ImportMapping | undefined;
}

/**
 * Previews a file that a person sends, with what they chose for earlier ones of its kind. `stream` is called once they may. Without
 * a column for the title there is no import: the answer says what the columns are. @throws as previewImport
 */
export const previewUpload = async (
  ctx: AppContext,
  actor: UserActor,
  stream: () => AsyncGenerator<Uint8Array>,
  { format, ...upload }: Upload,
): Promise<OpenedFile & { summary: ImportSummary | null }> => {
  await checkUploader(ctx, actor);
  const bytes = stream();
  try {
    const file = await openAdFile(bytes, format).catch(asInvalid);
    const kind = nameKind(file);
    const choices = await findChoices(ctx.db, actor.id, kind);
    const columns = choices?.columns ?? file.table?.guess;
    const opened = { file, kind, columns, choices };
    if (!hasTitle(file, columns)) return { ...opened, summary: null };
    const reading = { ...upload, ...choices, columns };
    const source = { fileName: upload.fileName, format: file.format.name, ads: file.ads(reading) };
    const id = await previewAds(ctx, actor, { ...source, maxRows: LIMITS.importRows }, reading);
    return { ...opened, summary: await readImport(ctx, actor, id) };
  } finally {
    await bytes.return(undefined);
  }
};

/** Remembers what a person chose for files of this kind. @throws {AppError} those of lockActiveActor */
export const rememberImportChoices = (
  ctx: AppContext,
  actor: UserActor,
  kind: string,
  choices: ImportMapping,
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    await rememberChoices(trx, actor.id, kind, choices);
  });

/** Begins to carry out a preview of the actor. @throws as checkUploader and startImport */
export const startOwnImport = async (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  options: RunOptions,
  audit: AuditContext,
): Promise<ImportSummary> => {
  await checkUploader(ctx, actor);
  await startImport(ctx, actor, id, options, audit);
  return readImport(ctx, actor, id);
};

/** Forgets an import; ads that it made stay. @throws {AppError} not_found, conflict (it runs) */
export const forgetImport = (ctx: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const row = await findOwnImport({ ...ctx, db: trx }, actor, id);
    if (row.state === 'running') throw refuseRunning(row);
    await deleteImport(trx, id);
  });

export interface Mistake {
  line: number;
  id: string;
  title: string;
  column: string;
  what: string;
  how: string;
}

type Failed = Awaited<ReturnType<typeof listFailedPhotos>>[number];

const toMistake = ({ line, external_id, title, url, failure, failure_phrase }: Failed): Mistake => {
  const why = sayStored(failure, failure_phrase);
  return {
    line,
    id: external_id,
    title,
    column: 'images',
    what: t('mistakes.photo', { url, why }),
    how: t('mistakes.correctAddress'),
  };
};

const PAGE = 500;

/** What is wrong with the rows of an import, then the photos that could not be fetched: a page of the database at a time. */
export async function* listMistakes({ db }: AppContext, id: string, language: Language): AsyncGenerator<Mistake> {
  const texts = readTexts(language);
  let rows: Awaited<ReturnType<typeof listRows>>;
  for (let after = 0; ; after = rows.at(-1)!.position) {
    rows = await listRows(db, id, { kind: 'wrong', after, limit: PAGE });
    for (const { line, external_id, title, problems } of rows)
      for (const problem of problems)
        yield { line, id: external_id, title, ...speaking(texts, () => sayProblem(problem)) };
    if (rows.length < PAGE) break;
  }
  let photos: Awaited<ReturnType<typeof listFailedPhotos>>;
  for (let after: (typeof photos)[number] | undefined; ; after = photos.at(-1)) {
    photos = await listFailedPhotos(db, id, { after, limit: PAGE });
    for (const photo of photos) yield speaking(texts, () => toMistake(photo));
    if (photos.length < PAGE) break;
  }
}
