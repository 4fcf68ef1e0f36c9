import type { AdRow, UserRow } from '../../db/tables.ts';
import { type Actor, isSelf, mayContinueConversation, maySeeAd, mayStartConversation } from '../../policy.ts';

export interface Situation {
  ad: AdRow | undefined;
  other: UserRow | undefined;
  /** The two have written to each other about this ad before. */
  hasBegun: boolean;
}

/** Why the actor may not write to the other person about the ad, for a person to read; null when they may. */
export const whyNotSend = (actor: Actor, { ad, other, hasBegun }: Situation): string | null => {
  if (ad === undefined || ad.state === 'deleted') return 'This ad has been deleted.';
  if (other === undefined || other.deleted_at !== null) return 'This account has been deleted.';
  if (isSelf(actor, other.id)) return 'You cannot write to yourself.';
  if (hasBegun) return mayContinueConversation(ad, other) ? null : 'This account has been suspended.';
  if (!maySeeAd(actor, ad)) return 'Ad not found';
  if (isSelf(actor, ad.user_id)) return 'You can answer once they have written to you.';
  if (other.id !== ad.user_id) return 'You can only write to the seller of this ad.';
  if (other.banned_at !== null) return 'This account has been suspended.';
  return mayStartConversation(actor, ad) ? null : 'Contact information not available';
};

/** To whoever may not know of it, a hidden or deleted ad does not exist. */
export const isHiddenFrom = (actor: Actor, { ad, hasBegun }: Situation): boolean =>
  ad === undefined || ad.state === 'deleted' || !(hasBegun || maySeeAd(actor, ad));
