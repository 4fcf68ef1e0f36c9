import type { Deal } from '../../../contract/deals.ts';
import type { DealRow, UserRow } from '../../db/rows.ts';
import { isSelf, type UserActor } from '../../policy.ts';
import type { AdDetails } from '../ads/repository.ts';
import { presentMessageAd } from '../messages/presenter.ts';
import { presentOwnRating, presentRating } from '../ratings/presenter.ts';
import type { RatingDetails } from '../ratings/repository.ts';
import { presentUser } from '../users/presenter.ts';

export interface DealContext {
  ads: Map<string, AdDetails>;
  users: Map<string, UserRow>;
  /** By the id of their deal: at most two of each. */
  ratings: Partial<Record<string, RatingDetails[]>>;
  now: number;
}

export const toOther = (row: DealRow, actor: UserActor): string =>
  isSelf(actor, row.seller_id) ? row.buyer_id : row.seller_id;

/** A deal as one of its two people sees it: not what the other one has written before it is public. */
export const presentDeal = (row: DealRow, { ads, users, ratings, now }: DealContext, actor: UserActor): Deal => {
  const role = isSelf(actor, row.seller_id) ? 'seller' : 'buyer';
  const other = users.get(toOther(row, actor))!;
  const isOver = Date.parse(row.ends_at) <= now;
  const about = ratings[row.id] ?? [];
  const own = about.find(({ rater_id }) => isSelf(actor, rater_id));
  const received = about.find(({ rater_id, is_public }) => is_public && rater_id === other.id);
  return {
    id: row.id,
    role,
    ad: presentMessageAd(ads.get(row.ad_id)!, actor, other.id),
    other: presentUser(other),
    createdAt: row.created_at,
    endsAt: row.ends_at,
    canRate: !isOver && own === undefined && other.deleted_at === null,
    canUndo: role === 'buyer' && !isOver && about.length === 0,
    ownRating: own ? presentOwnRating(own) : null,
    otherRating: received ? presentRating(received, other) : null,
  };
};
