import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { attempt, setAside } from '../../db/set-aside.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { PublicationListener } from '../ads/publications.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import {
  type DueSearch,
  finishNotifying,
  listSearchIds,
  lockDueSearches,
  recordMatches,
  TITLES,
  testSearches,
} from './matches-repository.ts';
import type { Moment } from './repository.ts';

const SEARCHES = 500;

const toMoment = ({ clock, config }: AppContext): Moment => ({
  now: clock.now().toISOString(),
  timeZone: config.timeZone,
});

/** Matches new ads to the saved searches, and lets a job notify their owners. */
export const matchSearches: PublicationListener = {
  onPublished: async (trx, ads, ctx) => {
    await recordMatches(
      trx,
      ads.map(({ id }) => id),
      toMoment(ctx),
    );
    await enqueue(trx, 'notify-searches', {}, { key: 'notify-searches' });
  },
  setPoisonAside: async (trx, ads) => {
    for (let afterId = '0'; ; ) {
      const searches = await listSearchIds(trx, afterId, SEARCHES);
      await setPoisonAside(trx, searches, ads);
      if (searches.length < SEARCHES) break;
      afterId = searches.at(-1)!;
    }
  },
};

/** Sets aside the searches that no ad can be tested with. */
const setPoisonAside = async (trx: Trx, searches: readonly string[], ads: readonly string[]): Promise<void> => {
  if (searches.length === 0) return;
  const failure = await attempt(trx, () => testSearches(trx, searches, ads));
  if (!failure) return;
  if (searches.length === 1) return setAside(trx, 'match-searches', searches[0]!, failure);
  const half = Math.ceil(searches.length / 2);
  await setPoisonAside(trx, searches.slice(0, half), ads);
  await setPoisonAside(trx, searches.slice(half), ads);
};

/** Notifies the owners of searches whose time has come. */
export const notifyDueSearches = async ({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now().toISOString();
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

/** One ad leads to its page, several lead to the list, which marks the search as seen. */
const toNotification = ({ id, user_id, name, count, titles, ad_id, seller_id }: DueSearch): NewNotification => ({
  userId: user_id,
  kind: 'search_match',
  params: { is: 'found', name, count, titles: titles.slice(0, TITLES) },
  url: count === 1 ? `/ads/${ad_id}` : `/saved-searches/${id}`,
  ...(seller_id !== null && { sourceUserId: seller_id }),
});
