import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../../app-context.ts';
import type { Trx } from '../../../db/pools.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Lexicon, lexiconOf } from './lexicon.ts';
import { indexAds, lockUnindexed } from './terms-repository.ts';

const BATCH = 100;
/** One run; the next one, a minute later, goes on. */
const RUN_MS = 50_000;
/** How many times as long as it works it rests: of two cores, a tenth is used. */
const REST = 4;

const indexBatch = async (trx: Trx, lexicon: Lexicon, before: string | null, batch: number): Promise<string | null> => {
  const ids = await lockUnindexed(trx, lexicon.rules, before, batch);
  if (ids.length > 0) await indexAds(trx, lexicon, ids);
  return ids[0] ?? null;
};

/**
 * Makes the terms of ads whose terms are missing or follow other rules, the newest first: after an upgrade or a change of
 * SEARCH_LANGUAGES, of all. Rests longer than it works, so that the site is used meanwhile. Ads that are locked wait for the
 * next run.
 */
export const indexPendingAds = async (ctx: AppContext, signal: AbortSignal): Promise<void> => {
  const end = Date.now() + RUN_MS;
  let before: string | null = null;
  do {
    const start = Date.now();
    before = await inTransaction(ctx.db, (trx) => indexBatch(trx, lexiconOf(ctx), before, BATCH));
    if (before !== null) await sleep(REST * (Date.now() - start));
  } while (before !== null && !signal.aborted && Date.now() < end);
};

const BIG_BATCH = 2000;

/** Indexes all pending ads without pauses. After a restore, nobody else waits for the database. */
export const indexAllAds = async (trx: Trx, lexicon: Lexicon): Promise<void> => {
  let before: string | null = null;
  do {
    before = await indexBatch(trx, lexicon, before, BIG_BATCH);
  } while (before !== null);
};
