import type { AppContext } from '../../app-context.ts';
import type { UserActor } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { readBlocksBetween } from '../blocks/repository.ts';
import { findUser } from '../users/repository.ts';
import { findConversation } from './repository.ts';

/** What decides whether the actor may write to this person about this ad, at the moment. */
export const readMessagingContext = async (
  { db }: Pick<AppContext, 'db'>,
  actor: UserActor,
  { adId, otherUserId }: { adId: string; otherUserId: string },
) => {
  const [ad, other, conversation, blocks] = await Promise.all([
    findAd(db, adId),
    findUser(db, otherUserId),
    findConversation(db, adId, actor.id, otherUserId),
    readBlocksBetween(db, actor.id, otherUserId),
  ]);
  return { ad, other, conversation, hasBegun: conversation !== undefined, blocks };
};
