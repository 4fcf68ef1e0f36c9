import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { forEachDue } from '../../db/bulk.ts';
import type { Trx } from '../../db/pools.ts';
import type { ReservationRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findAd, lockAdForUpdate } from '../ads/repository.ts';
import { listCurrentDeals } from '../deals/deals-repository.ts';
import { publishDeal } from '../deals/endings-repository.ts';
import { insertNotifications } from '../notifications/repository.ts';
import { lockPresentUsers } from '../users/repository.ts';
import { deleteEndedReservation, listEndedReservations, listInformed, listRecentWriters } from './repository.ts';

/** Deletes reservations whose time is over, and notifies both people. */
export async function endReservations({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  const total = await forEachDue(db, {
    pipeline: 'end-reservations',
    list: (limit) => listEndedReservations(db, limit),
    idOf: ({ ad_id }) => ad_id,
    work: endReservation,
    logFailure: (err, { ad_id: adId }) => log.error({ err, adId }, 'a reservation could not be ended'),
  });
  if (total > 0) log.info({ reservations: total }, 'reservations ended by time');
}

const endReservation = async (trx: Trx, reservation: ReservationRow): Promise<boolean> => {
  const { ad_id: adId, user_id: holderId } = reservation;
  const ad = (await findAd(trx, adId))!;
  await lockPresentUsers(trx, [ad.user_id, holderId]);
  if (!(await deleteEndedReservation(trx, reservation))) return false;
  await publishDeal(trx, { adId, sellerId: ad.user_id, buyerId: holderId });
  const people = [
    { userId: holderId, sourceUserId: ad.user_id, is: 'endedForYou' },
    { userId: ad.user_id, sourceUserId: holderId, is: 'ended' },
  ] as const;
  await insertNotifications(
    trx,
    people.map(({ is, ...person }) => ({
      ...person,
      kind: 'reservation',
      params: { is, ad: ad.title, days: LIMITS.reservationDays },
      url: `/messages/${adId}/${person.sourceUserId}`,
    })),
  );
  return true;
};

const BATCH = 500;

/** Notifies the next people who wrote about the sold ad. Returns the last of them; undefined when all are notified. */
const notifyBatch = async (trx: Trx, adId: string, afterId: string): Promise<string | undefined> => {
  const writers = await listRecentWriters(trx, adId, afterId, BATCH);
  await lockPresentUsers(trx, writers);
  // a concurrent run waits here, and then finds who is informed
  const row = await lockAdForUpdate(trx, adId);
  if (row === undefined || !row.is_sold || row.state === 'deleted') return undefined;
  const [deal] = await listCurrentDeals(trx, [adId]);
  const url = `/ads/${adId}`;
  const informed = new Set(await listInformed(trx, writers, { url, soldAt: row.sold_at! }));
  const uninformed = writers.filter((id) => id !== deal?.buyer_id && !informed.has(id));
  for (const buyerId of uninformed) await publishDeal(trx, { adId, sellerId: row.user_id, buyerId });
  await insertNotifications(
    trx,
    uninformed.map((userId) => ({
      userId,
      kind: 'deal',
      params: { is: 'sold', ad: row.title },
      url,
      sourceUserId: row.user_id,
    })),
  );
  return writers.length === BATCH ? writers.at(-1) : undefined;
};

/** Notifies the people who wrote about a sold ad in the last 30 days, apart from its buyer, once a sale and day. */
export const notifyOfSale = async ({ db }: Pick<AppContext, 'db'>, adId: string): Promise<void> => {
  let last: string | undefined = '0';
  while (last !== undefined) {
    const afterId: string = last;
    last = await inTransaction(db, (trx) => notifyBatch(trx, adId, afterId));
  }
};
