import type { OwnRating, Rating } from '../../../contract/ratings.ts';
import { presentUser } from '../users/presenter.ts';
import type { PublicUserRow } from '../users/repository.ts';
import type { RatingDetails } from './repository.ts';

const presentCommon = ({ id, value, tags, text, created_at }: RatingDetails) => ({
  id,
  value,
  tags,
  text,
  createdAt: created_at,
});

/** A rating as its rater sees it. */
export const presentOwnRating = (row: RatingDetails): OwnRating => ({
  ...presentCommon(row),
  isRevealed: row.is_public,
  isRemoved: row.removed_at !== null,
});

/** A rating as everyone sees it; only for rows with `is_public`. */
export const presentRating = (row: RatingDetails, rater: PublicUserRow): Rating => ({
  ...presentCommon(row),
  role: row.role,
  rater: presentUser(rater),
  reply: row.reply,
  repliedAt: row.replied_at,
});
