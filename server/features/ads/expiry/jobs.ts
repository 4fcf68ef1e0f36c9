import type { AppContext } from '../../../app-context.ts';
import { getNow, type Trx } from '../../../db/pools.ts';
import type { UserRow } from '../../../db/rows.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isShutOut } from '../../../policy.ts';
import { toExpiryPath } from '../../notifications/expiry-links.ts';
import { insertNotifications } from '../../notifications/repository.ts';
import { lockUnchangingUsers } from '../../users/repository.ts';
import {
  BATCH,
  type DueAd,
  type EndingAd,
  endListings,
  insertExpiryQuestions,
  listAdsToAskAbout,
  listOverdueAds,
} from './repository.ts';

/**
 * Runs `work` for all ads that `list` finds, each batch in a transaction that locks their sellers first: users before
 * ads, everywhere. Ads that another transaction is changing, or whose seller is, stay for the next run. Returns how many
 * ads `work` changed.
 */
async function inBatches(
  { db }: Pick<AppContext, 'db'>,
  list: (skipped: readonly string[]) => Promise<DueAd[]>,
  work: (trx: Trx, ads: readonly DueAd[], sellers: readonly UserRow[]) => Promise<readonly EndingAd[]>,
): Promise<number> {
  const skipped: string[] = [];
  for (let changed = 0; ; ) {
    const ads = await list(skipped);
    const sellerIds = ads.map(({ user_id }) => user_id);
    const changes = await inTransaction(db, async (trx) => work(trx, ads, await lockUnchangingUsers(trx, sellerIds)));
    const done = new Set(changes.map(({ id }) => id));
    changed += done.size;
    skipped.push(...ads.flatMap(({ id }) => (done.has(id) ? [] : [id])));
    if (ads.length < BATCH) return changed;
  }
}

/** Asks sellers whether ads that expire soon are still available: once per ad and expiry date. */
export async function askAboutExpiry(ctx: AppContext): Promise<void> {
  const { db, log } = ctx;
  const asked = await inBatches(
    ctx,
    (skipped) => listAdsToAskAbout(db, skipped),
    async (trx, ads, sellers) => {
      const active = sellers.filter((seller) => !isShutOut(seller, getNow(trx)) && seller.deleted_at === null);
      const added = await insertExpiryQuestions(
        trx,
        ads.map(({ id }) => id),
        active.map(({ id }) => id),
      );
      await insertNotifications(
        trx,
        added.map(({ id, user_id, title, expires_at }) => ({
          userId: user_id,
          kind: 'ad_expiring',
          params: { is: 'expiring', ad: title, day: expires_at },
          url: toExpiryPath({ adId: id, endsAt: expires_at }),
        })),
      );
      return added;
    },
  );
  if (asked > 0) log.info({ ads: asked }, 'sellers were asked about ads that expire soon');
}

/** Takes ads whose time is over off the lists: unsold ones expire, and their sellers are notified; sold ones stay open. */
export async function expireAds(ctx: AppContext): Promise<void> {
  const { db, log } = ctx;
  const changed = await inBatches(
    ctx,
    (skipped) => listOverdueAds(db, skipped),
    async (trx, ads, sellers) => {
      const sellerIds = new Set(sellers.map(({ id }) => id));
      const ended = await endListings(
        trx,
        ads.flatMap(({ id, user_id }) => (sellerIds.has(user_id) ? [id] : [])),
      );
      await insertNotifications(
        trx,
        ended
          .filter(({ is_sold }) => !is_sold)
          .map(({ id, user_id, title, expires_at }) => ({
            userId: user_id,
            kind: 'ad_expired',
            params: { is: 'expired', ad: title },
            url: toExpiryPath({ adId: id, endsAt: expires_at }),
          })),
      );
      return ended;
    },
  );
  if (changed > 0) log.info({ ads: changed }, 'ads left the lists by time');
}
