import type { Trx } from '../../db/pools.ts';
import { updateRatingFigures } from '../deals/rating-figures-repository.ts';
import { type RatingDetails, setRemoved } from '../ratings/repository.ts';
import type { DecisionRow } from './decision-repository.ts';

// All functions require that the rater, the rated person and then the rating are locked.

/** Takes the rating out of public view and out of the figure. */
export const removeRating = (trx: Trx, rating: RatingDetails): Promise<void> => setPublic(trx, rating, false);

/** Gives back the rating that the reversed decision removed. */
export const restoreRating = async (trx: Trx, rating: RatingDetails, { action }: DecisionRow): Promise<void> => {
  if (action === 'remove') await setPublic(trx, rating, true);
};

const setPublic = async (trx: Trx, { id, rated_id }: RatingDetails, isPublic: boolean): Promise<void> => {
  await setRemoved(trx, id, !isPublic);
  await updateRatingFigures(trx, [rated_id]);
};
