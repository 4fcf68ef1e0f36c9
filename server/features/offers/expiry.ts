import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { OfferRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { publishOffer } from '../deals/endings-repository.ts';
import { listExpiredOffers, settleExpiredOffers } from '../deals/offers-repository.ts';
import { findTitle } from '../messages/presenter.ts';
import { toAmount } from '../notifications/news-values.ts';
import { insertNotifications } from '../notifications/repository.ts';
import { lockPresentUsers } from '../users/repository.ts';

/**
 * Writes that these offers have expired, unless another transaction was first, and notifies who made them. The caller has
 * locked the people.
 */
export const settleExpired = async (
  trx: Trx,
  which: { conversationId: string } | { ids: readonly string[] },
): Promise<void> => {
  const offers = await settleExpiredOffers(trx, which);
  const ads = await listAdsByIds(trx, [...new Set(offers.map(({ ad_id }) => ad_id))]);
  const titles = new Map(ads.map((ad) => [ad.id, findTitle(ad)]));
  await insertNotifications(
    trx,
    offers.map((offer) => ({
      userId: offer.maker_id,
      kind: 'offer',
      params: { is: 'expired', ad: titles.get(offer.ad_id) ?? null, ...toAmount(offer.amount) },
      url: `/messages/${offer.ad_id}/${offer.receiver_id}`,
      sourceUserId: offer.receiver_id,
    })),
  );
  for (const offer of offers) await publishOffer(trx, offer);
};

const BATCH = 500;

const listPeople = (offers: readonly OfferRow[]): string[] =>
  offers.flatMap(({ maker_id, receiver_id }) => [maker_id, receiver_id]);

/** The job of the minute. Reads judge by the time themselves: a late run delays the notifications only. */
export const expireOffers = async ({ db }: Pick<AppContext, 'db'>): Promise<void> => {
  for (let isMore = true; isMore; )
    isMore = await inTransaction(db, async (trx) => {
      const offers = await listExpiredOffers(trx, BATCH);
      await lockPresentUsers(trx, listPeople(offers));
      await settleExpired(trx, { ids: offers.map(({ id }) => id) });
      return offers.length === BATCH;
    });
};
