import { padAmount } from '../../../contract/amount-rules.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';
import { findWarning } from '../../../contract/message-warnings.ts';
import type { Message, MessageAd, MessagePhoto, Offer, ThreadMessage } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import type { MessageRow, OfferRow } from '../../db/rows.ts';
import { type Actor, isPausedAd, isPublicAd, isSelf, maySeeAd } from '../../policy.ts';
import { TOMBSTONE } from '../ads/columns.ts';
import type { AdDetails } from '../ads/repository.ts';
import { presentUser } from '../users/presenter.ts';
import type { PublicUserRow } from '../users/repository.ts';
import type { Attachments } from './attachments.ts';
import type { MessagePhotoRow } from './photos-repository.ts';

/** The title of an ad for the participants of its conversations. */
/** Null: the ad was deleted. */
export const findTitle = ({ state, title }: Pick<AdDetails, 'state' | 'title'>): string | null =>
  state === 'deleted' ? null : title;

export const toAdTitle = (ad: Pick<AdDetails, 'state' | 'title'>): string => findTitle(ad) ?? 'Deleted ad';

/** Only the seller and the person who has the reservation learn whose it is, and until when. */
const presentReservation = ({ user_id, reserved_for, reserved_until }: AdDetails, actor: Actor, otherId: string) => {
  if (reserved_for === null || reserved_until === null) return {};
  if (isSelf(actor, reserved_for)) return { reservation: 'own', reservedUntil: reserved_until } as const;
  if (isSelf(actor, user_id) && reserved_for === otherId)
    return { reservation: 'other', reservedUntil: reserved_until } as const;
  return { reservation: 'elsewhere' } as const;
};

/**
 * The ad of a conversation for one of its participants. Hides the images of a hidden ad. The ads of a deleted seller
 * are tombstones at once, although a job empties their rows.
 */
export const presentMessageAd = (ad: AdDetails, actor: Actor, otherId: string): MessageAd => {
  const row = ad.state === 'deleted' ? { ...ad, ...TOMBSTONE } : ad;
  const images = maySeeAd(actor, row) ? row.images : [];
  return {
    id: row.id,
    userId: row.user_id,
    title: toAdTitle(row),
    price: padAmount(row.price),
    priceType: row.price_type,
    imageUrls: images.map((image) => toMediaUrl(image.sha256, 'full')),
    thumbUrl: images[0] ? toMediaUrl(images[0].sha256, 'thumb') : null,
    categorySlug: row.state === 'deleted' ? null : row.category_slug,
    isActive: isPublicAd(row),
    ...(isPausedAd(row) && { isPaused: true }),
    isSold: row.is_sold,
    ...presentReservation(row, actor, otherId),
    isDeleted: row.state === 'deleted',
  };
};

export interface MessageContext {
  ads: Map<string, AdDetails>;
  users: Map<string, PublicUserRow>;
  /** By the id of their message. */
  offers: Map<string, OfferRow>;
  /** By the id of their message, in the order of the message. */
  photos: Map<string, MessagePhotoRow[]>;
  /** Host name of this marketplace: its links are no reason for a warning. */
  ownHost: string;
}

export const toMessageContext = (
  { publicUrl }: Pick<AppContext['config'], 'publicUrl'>,
  {
    ads,
    users,
    offers = [],
    photos = [],
  }: { ads: readonly AdDetails[]; users: readonly PublicUserRow[] } & Partial<Attachments>,
): MessageContext => ({
  ownHost: new URL(publicUrl).hostname,
  ads: new Map(ads.map((ad) => [ad.id, ad])),
  users: new Map(users.map((user) => [user.id, user])),
  offers: new Map(offers.map((offer) => [offer.message_id, offer])),
  photos: Map.groupBy(photos, (photo) => photo.message_id ?? ''),
});

export const presentOffer = ({ id, amount, status, expires_at: expiresAt }: OfferRow): Offer => ({
  id,
  amount: padAmount(amount),
  status,
  expiresAt,
});

const presentMessagePhoto = ({ id, width, height }: MessagePhotoRow): MessagePhoto => ({ id, width, height });

export const presentThreadMessage = (
  row: MessageRow,
  { offers, photos, ownHost }: Pick<MessageContext, 'offers' | 'photos' | 'ownHost'>,
  actor: Actor,
): ThreadMessage => {
  const offer = offers.get(row.id);
  const own = photos.get(row.id);
  return {
    id: row.id,
    adId: row.ad_id,
    senderId: row.sender_id,
    receiverId: row.receiver_id,
    content: row.content,
    isRead: row.is_read,
    createdAt: row.created_at,
    ...(isSelf(actor, row.receiver_id) && findWarning(row.content, ownHost) !== null && { warning: true }),
    ...(offer && { offer: presentOffer(offer) }),
    ...(own && { photos: own.map(presentMessagePhoto), ...(row.text_hash === null && { isWordless: true as const }) }),
  };
};

export const presentMessage = (row: MessageRow, context: MessageContext, actor: Actor): Message => {
  const { ads, users } = context;
  const otherId = isSelf(actor, row.sender_id) ? row.receiver_id : row.sender_id;
  return {
    ...presentThreadMessage(row, context, actor),
    ad: presentMessageAd(ads.get(row.ad_id)!, actor, otherId),
    sender: presentUser(users.get(row.sender_id)!),
    receiver: presentUser(users.get(row.receiver_id)!),
  };
};
