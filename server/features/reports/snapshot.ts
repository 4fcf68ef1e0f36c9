import { getAttributes, stateDetail } from '../../../contract/attributes.ts';
import { CONDITIONS } from '../../../contract/conditions.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';
import { RATING_TAGS, RATING_VALUES } from '../../../contract/ratings.ts';
import type { CaseTarget } from '../../../contract/reports.ts';
import { shorten } from '../../../contract/text.ts';
import type { Db } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { hashContent } from '../ads/columns.ts';
import { type AdDetails, findAd, listAdImages } from '../ads/repository.ts';
import { findImages } from '../images/repository.ts';
import { findRating, type RatingDetails } from '../ratings/repository.ts';
import { findUser } from '../users/repository.ts';
import { listMessageWithContext, type MessageCopy, type Snapshot } from './case-repository.ts';

export const NOTHING = {
  price: null,
  priceType: null,
  category: null,
  state: null,
  images: [],
  messages: [],
  content: null,
};

/** Names the content of the ad as it is now. */
export const readContent = async (db: Db, ad: AdRow): Promise<Buffer> => hashContent(ad, await listAdImages(db, ad.id));

export const snapshotAd = (ad: AdDetails): Snapshot => {
  const images = ad.images.map(({ sha256 }) => sha256);
  const place = ad.location && `Location: ${ad.location}`;
  const link = ad.external_link && `Link: ${ad.external_link}`;
  const details = getAttributes(ad.category_slug).flatMap((attribute) => {
    const value = ad.details[attribute.key];
    return value === undefined ? [] : stateDetail(attribute, String(value));
  });
  return {
    ...NOTHING,
    about: 'ad',
    title: ad.title,
    text: [ad.description, place, details.join('\n'), link].filter(Boolean).join('\n\n'),
    price: ad.price,
    priceType: ad.price_type,
    condition: ad.condition,
    category: ad.category,
    state: ad.state,
    images,
    content: hashContent(ad, images).toString('hex'),
  };
};

export const snapshotUser = ({ display_name, username }: Pick<UserRow, 'display_name' | 'username'>): Snapshot => ({
  ...NOTHING,
  about: 'user',
  title: display_name,
  text: username === null ? '' : `@${username}`,
});

const TITLE_LENGTH = 80;

/** `messages`: the reported message last. */
export const snapshotMessages = (messages: readonly MessageCopy[]): Snapshot => {
  const { content } = messages.at(-1)!;
  return {
    ...NOTHING,
    about: 'message',
    title: shorten(content, TITLE_LENGTH),
    text: content,
    messages: messages.map((message) => ({
      id: message.id,
      senderId: message.sender_id,
      content: message.content,
      createdAt: message.created_at,
      ...(message.photos && { photos: message.photos }),
    })),
  };
};

export const snapshotRating = ({ value, tags, text, reply, removed_at }: RatingDetails): Snapshot => ({
  ...NOTHING,
  about: 'rating',
  title: `${RATING_VALUES[value]} rating`,
  text: [tags.map((tag) => RATING_TAGS[tag]).join(', '), text, reply && `Reply: ${reply}`].filter(Boolean).join('\n\n'),
  state: removed_at === null ? null : 'removed',
});

/** The target as it is now; undefined if nothing of it is left. Moderators see no message but the copies of the case. */
export const readTarget = async (
  db: Db,
  { about, messages }: Snapshot,
  id: string,
): Promise<{ snapshot: Snapshot; url: string | null } | undefined> => {
  if (about === 'ad') {
    const ad = await findAd(db, id);
    if (ad === undefined || ad.state === 'deleted') return undefined;
    return { snapshot: snapshotAd(ad), url: `/ads/${id}` };
  }
  if (about === 'user') {
    const user = await findUser(db, id);
    if (user === undefined || user.deleted_at !== null) return undefined;
    return { snapshot: snapshotUser(user), url: user.username === null ? null : `/users/${user.username}` };
  }
  if (about === 'rating') {
    const rating = await findRating(db, id);
    if (rating === undefined) return undefined;
    const rated = await findUser(db, rating.rated_id);
    return {
      snapshot: snapshotRating(rating),
      url: rated?.username ? `/users/${rated.username}#ratings` : null,
    };
  }
  if (messages.length === 0) return undefined;
  const rows = await listMessageWithContext(db, id);
  // messages do not change; the copies are what was reported
  return rows.length === 0 ? undefined : { snapshot: { ...snapshotMessages(rows), messages }, url: null };
};

export const presentSnapshot = async (
  db: Db,
  snapshot: Snapshot,
  { url, isGone }: { url: string | null; isGone: boolean },
): Promise<CaseTarget> => {
  const stored = await findImages(db, snapshot.images);
  return {
    title: snapshot.title,
    text: [snapshot.text, snapshot.condition && `Condition: ${CONDITIONS[snapshot.condition]}`]
      .filter(Boolean)
      .join('\n\n'),
    url,
    imageUrls: snapshot.images.filter((sha256) => stored.has(sha256)).map((sha256) => toMediaUrl(sha256, 'full')),
    price: snapshot.price,
    priceType: snapshot.priceType ?? null,
    category: snapshot.category,
    state: snapshot.state,
    messages: snapshot.messages.map(({ photos, ...message }) => ({
      ...message,
      ...(photos && { photos: photos.map(({ sha256: _sha256, ...photo }) => photo) }),
    })),
    isGone,
  };
};

export const isEdited = (before: Snapshot, now: Snapshot): boolean =>
  (['title', 'text', 'price', 'category'] as const).some((key) => before[key] !== now[key]) ||
  (before.priceType !== undefined && before.priceType !== now.priceType) ||
  before.images.join() !== now.images.join() ||
  (before.condition !== undefined && before.content !== now.content);
