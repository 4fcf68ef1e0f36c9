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

/**
 * The reason why the actor may not write to the other user about the ad; null when they may. SEND_REFUSALS has the
 * sentences.
 */
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
  if (hasBegun && ad?.state === 'deleted') return 'adDeleted';
  if (ad === undefined || isHiddenFrom(actor, context)) return 'adNotFound';
  if (other === undefined || other.deleted_at !== null) return 'accountDeleted';
  if (isSelf(actor, other.id)) return 'self';
  if (isShutOut(other, now)) return 'accountBanned';
  if (blocks.byOneself) return 'blockedByOneself';
  // the blocked person does not learn of the block
  if (blocks.byOther) return 'noMessages';
  if (isSelf(actor, ad.user_id)) return 'sellerWritesFirst';
  return other.id === ad.user_id ? 'noMessages' : 'notSeller';
};
