import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { attempt, setAside } from '../../db/set-aside.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue } from '../../jobs/queue.ts';
import { notifyFollowers } from '../follows/announcements.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import {
  type DueSearch,
  finishMatching,
  finishNotifying,
  isMatchingDue,
  listSearchIds,
  lockDueAds,
  lockDueSearches,
  recordMatches,
  TITLES,
  testSearches,
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
  const failure = await attempt(trx, () => matchAds(trx, ids, moment));
  if (failure) await matchWithoutPoison(trx, ids, moment);
  return ids.length === ADS || failure !== undefined;
};

const matchAds = async (trx: Trx, ids: readonly string[], moment: Moment): Promise<void> => {
  await notifyFollowers(trx, await finishMatching(trx, ids));
  await recordMatches(trx, ids, moment);
};

/** Sets aside the searches that no ad can be tested with, then the ads that fail all the same. The others go on. */
const matchWithoutPoison = async (trx: Trx, ids: readonly string[], moment: Moment): Promise<void> => {
  for (let afterId = '0'; ; ) {
    const searches = await listSearchIds(trx, afterId, SEARCHES);
    await setPoisonAside(trx, searches, ids);
    if (searches.length < SEARCHES) break;
    afterId = searches.at(-1)!;
  }
  for (const id of ids) {
    const failure = await attempt(trx, () => matchAds(trx, [id], moment));
    if (failure) await setAside(trx, 'match-ads', id, failure);
  }
};

const setPoisonAside = async (trx: Trx, searches: readonly string[], ads: readonly string[]): Promise<void> => {
  if (searches.length === 0) return;
  const failure = await attempt(trx, () => testSearches(trx, searches, ads));
  if (!failure) return;
  if (searches.length === 1) return setAside(trx, 'match-searches', searches[0]!, failure);
  const half = Math.ceil(searches.length / 2);
  await setPoisonAside(trx, searches.slice(0, half), ads);
  await setPoisonAside(trx, searches.slice(half), ads);
};

const notifyDueSearches = async ({ db }: AppContext, now: string): Promise<void> => {
  for (let isMore = true; isMore; )
    isMore = await inTransaction(db, async (trx) => {
      const due = await lockDueSearches(trx, now, SEARCHES);
      if (await attempt(trx, () => notifySearches(trx, due, now)))
        for (const search of due) {
          const failure = await attempt(trx, () => notifySearches(trx, [search], now));
          if (failure) await setAside(trx, 'notify-searches', search.id, failure);
        }
      return due.length === SEARCHES;
    });
};

const notifySearches = async (trx: Trx, due: readonly DueSearch[], now: string): Promise<void> => {
  const fresh = due.filter(({ count }) => count > 0);
  await insertNotifications(trx, fresh.map(toNotification));
  await finishNotifying(trx, { ids: due.map(({ id }) => id), notified: fresh.map(({ id }) => id), now });
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
