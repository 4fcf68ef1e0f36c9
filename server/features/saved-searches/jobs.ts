import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue } from '../../jobs/queue.ts';
import { notifyFollowers } from '../follows/announcements.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import {
  type DueSearch,
  finishMatching,
  finishNotifying,
  isMatchingDue,
  lockDueAds,
  lockDueSearches,
  recordMatches,
  TITLES,
  tryLockMatching,
} from './matches-repository.ts';
import type { Moment } from './repository.ts';

/** Few, because a transaction locks the searches that match: their owners may want to change them. */
const ADS = 20;
const SEARCHES = 500;
const RETRY_MS = 2000;

/**
 * Matches ads that became public to the saved searches, and notifies the followers of their sellers and the owners of
 * searches whose time has come. Each transaction that makes an ad public enqueues this job. An import enqueues many: one of
 * them works, in batches, so that it never takes more than one connection; the others leave, and one more run follows.
 */
export const matchNewAds = async (ctx: AppContext, signal?: AbortSignal): Promise<void> => {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const moment = { now: ctx.clock.now().toISOString(), timeZone: ctx.config.timeZone };
    const isDue = await isMatchingDue(ctx.db);
    isMore = isDue && (await inTransaction(ctx.db, (trx) => matchBatch(trx, moment)));
    await notifyDueSearches(ctx, moment.now);
  }
  // another run works on them, or a transaction changes them
  if (await isMatchingDue(ctx.db)) {
    const runAt = new Date(ctx.clock.now().valueOf() + RETRY_MS);
    await inTransaction(ctx.db, (trx) => enqueue(trx, 'match-new-ads', {}, { runAt, key: 'match-new-ads later' }));
  }
};

/** Returns whether there may be more. */
const matchBatch = async (trx: Trx, moment: Moment): Promise<boolean> => {
  if (!(await tryLockMatching(trx))) return false;
  const ids = await lockDueAds(trx, ADS);
  if (ids.length === 0) return false;
  await notifyFollowers(trx, await finishMatching(trx, ids));
  await recordMatches(trx, ids, moment);
  return ids.length === ADS;
};

const notifyDueSearches = async ({ db }: AppContext, now: string): Promise<void> => {
  for (let isMore = true; isMore; )
    isMore = await inTransaction(db, async (trx) => {
      const due = await lockDueSearches(trx, now, SEARCHES);
      const fresh = due.filter(({ count }) => count > 0);
      await insertNotifications(trx, fresh.map(toNotification));
      await finishNotifying(trx, { ids: due.map(({ id }) => id), notified: fresh.map(({ id }) => id), now });
      return due.length === SEARCHES;
    });
};

const toSentence = (titles: readonly string[], count: number): string => {
  const parts = count > titles.length ? [...titles, `${count - titles.length} more`] : [...titles];
  const last = parts.pop() ?? '';
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
};

/** One ad leads to its page, several lead to the list, which marks the search as seen. */
const toNotification = ({ id, user_id, name, count, titles, ad_id, seller_id }: DueSearch): NewNotification => ({
  userId: user_id,
  kind: 'search_match',
  title: count === 1 ? `New ad for “${name}”` : `${count} new ads for “${name}”`,
  body: toSentence(titles.slice(0, TITLES), count),
  url: count === 1 ? `/ads/${ad_id}` : `/saved-searches/${id}`,
  ...(seller_id !== null && { sourceUserId: seller_id }),
});
