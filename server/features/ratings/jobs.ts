import type { AppContext } from '../../app-context.ts';
import { forEachDue } from '../../db/bulk.ts';
import type { Trx } from '../../db/pools.ts';
import type { DealRow } from '../../db/rows.ts';
import { lockDealById } from '../deals/deals-repository.ts';
import { updateRatingFigures } from '../deals/rating-figures-repository.ts';
import { lockUsers } from '../users/repository.ts';
import { notifyOfRevealed } from './notify.ts';
import { listDealsToReveal, revealRatings } from './repository.ts';

/**
 * Ratings whose time is over are public without this job. It writes that down, notifies the people who were rated, and
 * brings their figures up to date.
 */
export async function revealDueRatings({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  const total = await forEachDue(db, {
    pipeline: 'reveal-ratings',
    list: (limit) => listDealsToReveal(db, limit),
    idOf: ({ id }) => id,
    work: revealDeal,
    logFailure: (err, { id: dealId }) => log.error({ err, dealId }, 'the ratings of a deal could not be revealed'),
  });
  if (total > 0) log.info({ deals: total }, 'ratings revealed by time');
}

const revealDeal = async (trx: Trx, { id, seller_id, buyer_id }: DealRow): Promise<boolean> => {
  const people = await lockUsers(trx, [seller_id, buyer_id]);
  const deal = await lockDealById(trx, id);
  if (deal === undefined) return false;
  const revealed = await revealRatings(trx, id);
  await updateRatingFigures(
    trx,
    revealed.map(({ rated_id }) => rated_id),
  );
  // staff may have removed one that time had made public
  const shown = revealed.filter(({ removed_at }) => removed_at === null);
  await notifyOfRevealed(trx, deal, shown, people);
  return revealed.length > 0;
};
