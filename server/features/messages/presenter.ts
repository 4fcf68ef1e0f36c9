import type * as z from 'zod/mini';
import { findWarning } from '../../../contract/message-warnings.ts';
import type { Message, MessageAd } from '../../../contract/messages.ts';
import type { MessageRow } from '../../db/rows.ts';
import { type Actor, isSelf, maySeeAd } from '../../policy.ts';
import { toMediaUrl } from '../ads/ad-images.ts';
import { TOMBSTONE } from '../ads/columns.ts';
import type { AdDetails } from '../ads/repository.ts';
import { type PublicUserRow, presentUser } from '../users/presenter.ts';

/** The title of an ad for the participants of its conversations. */
export const toAdTitle = ({ state, title }: Pick<AdDetails, 'state' | 'title'>): string =>
  state === 'deleted' ? 'Deleted ad' : title;

/**
 * The ad of a conversation for one of its participants. Hides the images of a hidden ad. The ads of a deleted seller
 * are tombstones at once, although a job empties their rows.
 */
export const presentMessageAd = (ad: AdDetails, actor: Actor): z.output<typeof MessageAd> => {
  const row = ad.state === 'deleted' ? { ...ad, ...TOMBSTONE } : ad;
  const images = maySeeAd(actor, row) ? row.images : [];
  return {
    id: row.id,
    userId: row.user_id,
    title: toAdTitle(row),
    price: row.price,
    priceType: row.price_type,
    imageUrls: images.map((image) => toMediaUrl(image.sha256, 'full')),
    thumbUrl: images[0] ? toMediaUrl(images[0].sha256, 'thumb') : null,
    isActive: row.state === 'active' && !row.seller_banned,
    isSold: row.is_sold,
    isDeleted: row.state === 'deleted',
  };
};

export interface MessageContext {
  ads: Map<string, AdDetails>;
  users: Map<string, PublicUserRow>;
  /** Host name of this marketplace: its links are no reason for a warning. */
  ownHost: string;
}

export const presentMessage = (row: MessageRow, { ads, users, ownHost }: MessageContext, actor: Actor): Message => ({
  id: row.id,
  adId: row.ad_id,
  senderId: row.sender_id,
  receiverId: row.receiver_id,
  content: row.content,
  isRead: row.is_read,
  createdAt: row.created_at,
  ...(isSelf(actor, row.receiver_id) && findWarning(row.content, ownHost) !== null && { warning: true }),
  ad: presentMessageAd(ads.get(row.ad_id)!, actor),
  sender: presentUser(users.get(row.sender_id)!),
  receiver: presentUser(users.get(row.receiver_id)!),
});
