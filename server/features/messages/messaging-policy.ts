import type { AdRow, UserRow } from '../../db/rows.ts';
import { type Actor, isSelf, mayContinueConversation, maySeeAd, mayStartConversation } from '../../policy.ts';

export interface MessagingContext {
  ad: AdRow | undefined;
  other: Pick<UserRow, 'id' | 'banned_at' | 'deleted_at'> | undefined;
  /** The two have written to each other about this ad before. */
  hasBegun: boolean;
}

/** To whoever may not know of it, a hidden ad does not exist; a deleted one does for nobody. */
export const isHiddenFrom = (actor: Actor, { ad, hasBegun }: MessagingContext): boolean =>
  ad === undefined || ad.state === 'deleted' || !(hasBegun || maySeeAd(actor, ad));

const maySend = (actor: Actor, { ad, other, hasBegun }: MessagingContext): boolean =>
  ad !== undefined &&
  other !== undefined &&
  (hasBegun ? mayContinueConversation(ad, other) : mayStartConversation(actor, ad, other));

/** Why the actor may not write to the other person about the ad, for a person to read; null when they may. */
export const findSendRefusal = (actor: Actor, situation: MessagingContext): string | null =>
  maySend(actor, situation) ? null : explain(actor, situation);

const explain = (actor: Actor, situation: MessagingContext): string => {
  const { ad, other, hasBegun } = situation;
  if (hasBegun && ad?.state === 'deleted') return 'This ad has been deleted.';
  if (ad === undefined || isHiddenFrom(actor, situation)) return 'Ad not found';
  if (other === undefined || other.deleted_at !== null) return 'The account of the other person has been deleted.';
  if (isSelf(actor, other.id)) return 'You cannot write to yourself.';
  if (other.banned_at !== null) return 'The account of the other person has been suspended.';
  if (isSelf(actor, ad.user_id)) return 'You can answer once they have written to you.';
  return other.id === ad.user_id ? 'Contact information not available' : 'You can only write to the seller of this ad.';
};
