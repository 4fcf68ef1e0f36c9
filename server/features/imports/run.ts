import type { AdInput } from '../../../contract/ads.ts';
import { getMoney } from '../../../contract/money.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { attempt } from '../../db/set-aside.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict } from '../../errors.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { parseMediaUrl } from '../ads/ad-images.ts';
import { type FiledAd, type Importing, insertFiledAds, updateFiledAd } from '../ads/imported.ts';
import { lockShownImages } from '../ads/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findUser } from '../users/repository.ts';
import type { Content } from './check-ad.ts';
import { parseAdUrl } from './own-ads.ts';
import { listPhotos, replacePhotos } from './photos-repository.ts';
import { storeProblem } from './phrases.ts';
import type { Problem } from './reading/imported-ad.ts';
import { parseMediaPath } from './reading/media-url.ts';
import {
  type DueRow,
  endImport,
  findImport,
  type ImportRow,
  listDueRows,
  lockImport,
  pauseMissing,
  recordImported,
  refuseRows,
  updateImport,
} from './repository.ts';

/** Few, so that a batch holds its locks briefly and one of them fits a transaction that an interrupted server loses. */
const BATCH = 100;

export interface RunOptions {
  asDrafts: boolean;
  allOrNothing: boolean;
  pauseMissing: boolean;
}

/** @throws {AppError} conflict */
export const checkCurrency = ({ currency }: Pick<ImportRow, 'currency'>): void => {
  if (currency !== getMoney().currency.code) throw conflict('errors.pricesInCurrency', { currency });
};

interface Running {
  ctx: AppContext;
  trx: Trx;
  row: ImportRow;
  options: RunOptions;
  importing: Importing;
}

/** An ad of the file, with the photos that are here already, and those that are to be fetched. */
interface Prepared extends FiledAd {
  due: DueRow;
  photos: { position: number; url: string; sha256: string | null }[];
}

const toInput = ({ isHidden: _, ...content }: Content): AdInput => ({ ...content, imageUrls: [] });

const toName = ({ ctx }: Running, url: string): string | undefined => {
  const { publicUrl } = ctx.config;
  return url.startsWith(`${publicUrl}/media/`) ? parseMediaUrl(url.slice(publicUrl.length)) : undefined;
};

/** Which photos of a row need not be fetched: those that ads of the seller show, here or since they were fetched for this ad. */
const preparePhotos = async (running: Running, due: DueRow): Promise<Prepared> => {
  const { trx, row } = running;
  const { content } = due;
  const fetched = due.ad_id === null ? [] : await listPhotos(trx, due.ad_id);
  const named = content.imageUrls.map((url, position) => {
    const before = fetched.find((photo) => photo.url === url)?.sha256 ?? null;
    return { position, url, sha256: toName(running, url) ?? before };
  });
  const names = named.flatMap(({ sha256 }) => sha256 ?? []);
  const shown = new Set(await lockShownImages(trx, row.user_id, names));
  const photos = named.map((photo) => ({
    ...photo,
    sha256: photo.sha256 && shown.has(photo.sha256) ? photo.sha256 : null,
  }));
  const images = [...new Set(photos.flatMap(({ sha256 }) => sha256 ?? []))];
  return { due, photos, images, input: toInput(content), isPaused: content.isHidden };
};

type Recorded = Prepared & { adId: string; isHidden: boolean };

const record = async ({ trx, row }: Running, ads: readonly Recorded[]): Promise<void> => {
  const toHash = ({ due }: Prepared) => due.hash.toString('hex');
  await recordImported(
    trx,
    row,
    ads.map((ad) => ({
      position: ad.due.position,
      adId: ad.adId,
      externalId: ad.due.external_id,
      hash: toHash(ad),
      isHidden: ad.isHidden,
    })),
  );
  const fetched: string[] = [];
  for (const { adId, photos } of ads) {
    if (photos.length > 0) await replacePhotos(trx, adId, photos);
    if (photos.some(({ sha256, url }) => sha256 === null && parseMediaPath(url) === undefined)) fetched.push(adId);
  }
  if (fetched.length > 0)
    await enqueueAll(
      trx,
      'fetch-photos',
      fetched.map((adId) => ({ payload: { adId }, key: `photos ${adId}` })),
    );
};

const create = async (running: Running, ads: readonly Prepared[]): Promise<void> => {
  const { ctx, trx, importing, options } = running;
  const drafted = options.asDrafts ? ads.map((ad) => ({ ...ad, isPaused: true })) : ads;
  const ids = await insertFiledAds(ctx, trx, importing, drafted);
  await record(
    running,
    // a draft waits for its seller, whatever the next file says
    ads.map((ad, at) => ({ ...ad, adId: ids[at]!, isHidden: ad.isPaused && !options.asDrafts })),
  );
};

const update = async (running: Running, ad: Prepared): Promise<void> => {
  const { ctx, trx, importing } = running;
  const { ad_id, external_id, is_paused_by_file } = ad.due;
  const adId = ad_id!;
  // a file without photos does not take those that the ad has
  const images = ad.photos.length > 0 ? ad.images : undefined;
  // only a file of one's own ads says that an ad is public; others do not resume what its seller paused, or what came in as a draft
  const mayResume = is_paused_by_file || parseAdUrl(ctx.config.publicUrl, external_id) === adId;
  const isPaused = ad.isPaused || (mayResume ? false : undefined);
  const wasPaused = await updateFiledAd(ctx, trx, importing, adId, { input: ad.input, images, isPaused });
  await record(running, [{ ...ad, adId, isHidden: ad.isPaused && (is_paused_by_file || !wasPaused) }]);
};

const toProblem = (error: Error): Problem => {
  const { phrase, fieldPhrases = {} } = error instanceof AppError ? error : {};
  const [column = '', what] = Object.entries(fieldPhrases).find(([, field]) => typeof field !== 'string') ?? [];
  const why = typeof what === 'object' ? what : (phrase ?? { key: 'mistakes.notStored' });
  return { column, what: why, how: { key: 'mistakes.mend' } };
};

/** Runs work that one row may make fail: then that row is wrong. Returns how many rows it did. */
const tryRows = async (
  running: Running,
  rows: readonly Prepared[],
  work: (rows: readonly Prepared[]) => Promise<void>,
) => {
  const { ctx, trx, row, options } = running;
  if (rows.length === 0) return 0;
  const failed = await attempt(trx, () => work(rows));
  if (!failed) return rows.length;
  let done = 0;
  for (const one of rows) {
    const error = rows.length === 1 ? failed : await attempt(trx, () => work([one]));
    if (!error) done += 1;
    else {
      if (!(error instanceof AppError)) ctx.log.warn({ err: error, importId: row.id }, 'a row could not be imported');
      const problem = toProblem(error);
      if (options.allOrNothing) throw conflict('mistakes.stopped', { line: String(one.due.line), what: problem.what });
      await refuseRows(trx, row.id, [{ position: one.due.position, problem: storeProblem(problem) }]);
    }
  }
  return done;
};

/** Returns whether there may be more to do. */
const runBatch = async (running: Running): Promise<boolean> => {
  const { trx, row, options } = running;
  const rows = await listDueRows(trx, row.id, row.done, BATCH);
  if (rows.length === 0) {
    const paused = options.pauseMissing ? await pauseMissing(trx, row, BATCH) : 0;
    await updateImport(trx, row.id, { done: row.rows, paused: row.paused + paused });
    if (paused < BATCH) await endImport(trx, row.id, { state: 'done' });
    return paused === BATCH;
  }
  const prepared: Prepared[] = [];
  for (const due of rows) prepared.push(await preparePhotos(running, due));
  const isNew = ({ due }: Prepared) => due.kind === 'new';
  const created = await tryRows(running, prepared.filter(isNew), (ads) => create(running, ads));
  let updated = 0;
  for (const ad of prepared.filter((ad) => !isNew(ad)))
    updated += await tryRows(running, [ad], async () => update(running, ad));
  await updateImport(trx, row.id, {
    done: rows.at(-1)!.position,
    created: row.created + created,
    updated: row.updated + updated,
    refused: row.refused + rows.length - created - updated,
  });
  return true;
};

/** Runs batches until `isOver` says so; each sees the import as the one before left it. */
const runBatches = async (ctx: AppContext, trx: Trx, id: string, isOver: () => boolean): Promise<boolean> => {
  for (let isMore = true; isMore; ) {
    const found = await findImport(trx, id);
    const user = found && (await findUser(trx, found.user_id));
    if (!user) return false;
    // users before everything else of theirs
    const seller = await lockActiveActor(trx, { kind: 'user', id: user.id, role: user.role });
    const row = await lockImport(trx, id);
    if (row?.state !== 'running') return false;
    checkCurrency(row);
    const options = row.options as unknown as RunOptions;
    const importing = { seller, settings: await readSettings(trx) };
    isMore = await runBatch({ ctx, trx, row, options, importing });
    if (isMore && isOver()) return true;
  }
  return false;
};

interface Watching {
  signal?: AbortSignal | undefined;
  onProgress?: (row: ImportRow) => void;
}

/**
 * Carries out an import that was started, in batches: each stores its ads and how far it got in one transaction, so a run that is
 * interrupted anywhere goes on where it stopped. "All or nothing" is one transaction. What makes the whole import fail, such as a
 * seller who is banned meanwhile, ends it with a reason.
 */
export const runImport = async (ctx: AppContext, id: string, { signal, onProgress }: Watching = {}): Promise<void> => {
  const found = await findImport(ctx.db, id);
  if (found?.state !== 'running') return;
  const isWhole = (found.options as unknown as RunOptions).allOrNothing;
  try {
    for (let isMore = true; isMore; ) {
      signal?.throwIfAborted();
      isMore = await inTransaction(ctx.db, (trx) => runBatches(ctx, trx, id, () => !isWhole));
      const row = onProgress && (await findImport(ctx.db, id));
      if (row) onProgress?.(row);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const error_phrase = error.phrase && JSON.stringify(error.phrase);
    await endImport(ctx.db, id, { state: 'failed', error: error.message.slice(0, 500), error_phrase });
  }
};
