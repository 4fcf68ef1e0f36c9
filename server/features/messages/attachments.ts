import type { Db } from '../../db/pools.ts';
import type { OfferRow } from '../../db/rows.ts';
import { listOffersOfMessages } from '../deals/offers-repository.ts';
import { listPhotosOfMessages, type MessagePhotoRow } from './photos-repository.ts';

/** What messages contain besides their text. */
export interface Attachments {
  offers: readonly OfferRow[];
  photos: readonly MessagePhotoRow[];
}

export const readAttachments = async (db: Db, messageIds: readonly string[]): Promise<Attachments> => {
  const [offers, photos] = await Promise.all([
    listOffersOfMessages(db, messageIds),
    listPhotosOfMessages(db, messageIds),
  ]);
  return { offers, photos };
};
