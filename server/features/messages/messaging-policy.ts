import type { SendRefusal } from '../../../contract/messages.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import {
  type Actor,
  isSelf,
  isShutOut,
  mayContinueConversation,
  maySeeAd,
  mayStartConversation,
} from '../../policy.ts';
import type { BlocksBetween } from '../blocks/repository.ts';

export interface MessagingContext {
  ad: AdRow | undefined;
  other: Pick<UserRow, 'id' | 'banned_at' | 'suspended_until' | 'deleted_at'> | undefined;
  hasBegun: boolean;
  blocks: BlocksBetween;
}

/** The actor must not learn that the ad exists. A deleted ad does not exist for anyone. */
export const isHiddenFrom = (actor: Actor, { ad, hasBegun }: MessagingContext): boolean =>
  ad === undefined || ad.state === 'deleted' || !(hasBegun || maySeeAd(actor, ad));

/** The reason why the actor may not write to the other user about the ad; null when they may. */
export const findSendRefusal = (actor: Actor, context: MessagingContext, now: Date): SendRefusal | null => {
  const { ad, other, hasBegun, blocks } = context;
  const isBlocked = blocks.byOneself || blocks.byOther;
  const isAllowed =
    ad &&
    other &&
    (hasBegun
      ? mayContinueConversation(ad, other, { isBlocked, now })
      : mayStartConversation(actor, ad, other, { isBlocked, now }));
  if (isAllowed) return null;
  if (hasBegun && ad?.state === 'deleted') return 'ad_deleted';
  if (ad === undefined || isHiddenFrom(actor, context)) return 'ad_not_found';
  if (other === undefined || other.deleted_at !== null) return 'account_deleted';
  if (isSelf(actor, other.id)) return 'self';
  if (isShutOut(other, now)) return 'account_banned';
  if (blocks.byOneself) return 'blocked_by_oneself';
  // the blocked person does not learn of the block
  if (blocks.byOther) return 'no_messages';
  if (isSelf(actor, ad.user_id)) return 'seller_writes_first';
  return other.id === ad.user_id ? 'no_messages' : 'not_seller';
};
