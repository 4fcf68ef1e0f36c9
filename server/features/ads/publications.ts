import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { attempt, setAside } from '../../db/set-aside.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue } from '../../jobs/queue.ts';
import {
  finishPublications,
  isPublicationDue,
  lockDuePublications,
  type PublishedAd,
  tryLockPublications,
} from './publications-repository.ts';

/** Something that follows when ads become public for the first time. server/job-handlers.ts lists the listeners. */
export interface PublicationListener {
  /** Gets each ad once, in the transaction that records this: a failure undoes both. */
  onPublished: (trx: Trx, ads: readonly PublishedAd[], ctx: AppContext) => Promise<void>;
  /** After a failure: sets rows aside that fail with any ad. */
  setPoisonAside?: (trx: Trx, adIds: readonly string[]) => Promise<void>;
}

/** Enqueues the job for ads that this transaction made public, if it did. Triggers record publications. */
export const enqueuePublications = (trx: Trx): Promise<void> => enqueue(trx, 'handle-publications', {});

/** Few, because listeners lock rows that their owners may want to change. */
const ADS = 20;
const RETRY_MS = 2000;

/**
 * Tells the listeners about publications. Each transaction that makes an ad public enqueues this job. An import enqueues
 * many: one of them works, in batches, so that it never takes more than one connection; the others leave, and one more run
 * follows.
 */
export const handlePublications = async (
  ctx: AppContext,
  listeners: readonly PublicationListener[],
  signal?: AbortSignal,
): Promise<void> => {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const isDue = await isPublicationDue(ctx.db);
    isMore = isDue && (await inTransaction(ctx.db, (trx) => handleBatch(ctx, trx, listeners)));
  }
  // another run works on them, or a transaction changes them
  if (await isPublicationDue(ctx.db)) {
    const runAt = new Date(ctx.clock.now().valueOf() + RETRY_MS);
    await inTransaction(ctx.db, (trx) =>
      enqueue(trx, 'handle-publications', {}, { runAt, key: 'handle-publications later' }),
    );
  }
};

/** Returns whether there may be more. */
const handleBatch = async (ctx: AppContext, trx: Trx, listeners: readonly PublicationListener[]): Promise<boolean> => {
  if (!(await tryLockPublications(trx))) return false;
  const ids = await lockDuePublications(trx, ADS);
  if (ids.length === 0) return false;
  const tell = async (adIds: readonly string[]): Promise<void> => {
    const ads = await finishPublications(trx, adIds);
    for (const { onPublished } of listeners) await onPublished(trx, ads, ctx);
  };
  const failure = await attempt(trx, () => tell(ids));
  if (failure === undefined) return ids.length === ADS;
  for (const { setPoisonAside } of listeners) await setPoisonAside?.(trx, ids);
  for (const id of ids) {
    const failed = await attempt(trx, () => tell([id]));
    if (failed) await setAside(trx, 'publications', id, failed);
  }
  return true;
};
