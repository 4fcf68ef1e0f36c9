import type { Trx } from '../../db/pools.ts';
import type { DealRow, RatingRow, UserRow } from '../../db/rows.ts';
import { findAd } from '../ads/repository.ts';
import { insertNotification, insertNotifications, markSubjectRead } from '../notifications/repository.ts';

type DealPeople = Pick<DealRow, 'id' | 'ad_id'>;
type Person = Pick<UserRow, 'id' | 'username' | 'display_name' | 'deleted_at'>;

/** Where its two people find the deal. No such path is the start of another one, see markSubjectRead. */
const toDealUrl = ({ id }: DealPeople): string => `/dashboard#deal-${id}-ratings`;

/** Where everyone finds the ratings of this person. */
const toRatingsUrl = (deal: DealPeople, { username }: Person): string =>
  username === null ? toDealUrl(deal) : `/users/${username}#ratings`;

/** Null: the ad was deleted. */
const readTitle = async (trx: Trx, adId: string): Promise<string | null> => {
  const ad = await findAd(trx, adId);
  return ad === undefined || ad.state === 'deleted' ? null : ad.title;
};

/** The other person has rated; what they wrote is not public yet. */
export const notifyOfHiddenRating = async (trx: Trx, deal: DealPeople, rater: Person, rated: Person): Promise<void> =>
  insertNotification(trx, {
    userId: rated.id,
    kind: 'rating',
    params: { is: 'hidden', name: rater.display_name, ad: await readTitle(trx, deal.ad_id) },
    url: toDealUrl(deal),
    sourceUserId: rater.id,
  });

/** Ratings became public: each person that was rated learns how. `people` are the two of the deal. */
export const notifyOfRevealed = async (
  trx: Trx,
  deal: DealPeople,
  ratings: readonly Pick<RatingRow, 'rater_id' | 'rated_id' | 'value'>[],
  people: readonly Person[],
): Promise<void> => {
  const find = (id: string) => people.find((person) => person.id === id)!;
  const ad = await readTitle(trx, deal.ad_id);
  for (const { rated_id } of ratings)
    await markSubjectRead(trx, rated_id, { kinds: ['rating'], path: toDealUrl(deal) });
  await insertNotifications(
    trx,
    ratings.map(({ rater_id, rated_id, value }) => {
      const { display_name: name, deleted_at } = find(rater_id);
      return {
        userId: rated_id,
        kind: 'rating',
        params: { is: 'rated', name, value, ad, ...(deleted_at && { isDeleted: true }) },
        url: toRatingsUrl(deal, find(rated_id)),
        sourceUserId: rater_id,
      };
    }),
  );
};

export const notifyOfReply = async (trx: Trx, deal: DealPeople, raterId: string, rated: Person): Promise<void> =>
  insertNotification(trx, {
    userId: raterId,
    kind: 'rating',
    params: { is: 'replied', name: rated.display_name, ad: await readTitle(trx, deal.ad_id) },
    url: toRatingsUrl(deal, rated),
    sourceUserId: rated.id,
  });
