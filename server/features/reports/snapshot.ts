import { type Attribute, getAttributes, stateDetail } from '../../../contract/attributes.ts';
import { CONDITIONS } from '../../../contract/conditions.ts';
import { ENGLISH_TEXTS, getLocale, speaking, t } from '../../../contract/i18n.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';
import type { Language } from '../../../contract/languages.ts';
import type { CaseTarget } from '../../../contract/reports.ts';
import { shorten } from '../../../contract/text.ts';
import type { Db } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { type ErrorPhrase, say, toEnglish } from '../../error-phrases.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { hashContent } from '../ads/columns.ts';
import { type AdDetails, findAd, listAdImages } from '../ads/repository.ts';
import { nameIn } from '../categories/names.ts';
import { findCurrentCategory } from '../categories/repository.ts';
import { findImages } from '../images/repository.ts';
import { toAmount } from '../notifications/news-values.ts';
import { findRating, type RatingDetails } from '../ratings/repository.ts';
import { findUser } from '../users/repository.ts';
import {
  type CopiedMessage,
  type CopyPart,
  listMessageWithContext,
  type MessageCopy,
  type Snapshot,
} from './case-repository.ts';
import { sayMessage, sayTitle, TITLE_LENGTH } from './presenter.ts';

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

const listInWords = (words: readonly string[]): string =>
  new Intl.ListFormat(getLocale(), { type: 'unit', style: 'short' }).format(words);

type SayChoice = (attribute: Attribute, value: string) => string;

const sayPart = (part: CopyPart, sayChoice: SayChoice): string => {
  if (typeof part === 'string') return part;
  if ('key' in part) return say(part);
  if ('tags' in part) return listInWords(part.tags.map((tag) => t(`deals.tag_${tag}`)));
  const stated = getAttributes(part.category).flatMap((attribute) => {
    const value = part.details[attribute.key];
    return value === undefined ? [] : stateDetail(attribute, sayChoice(attribute, value));
  });
  return stated.join('\n');
};

const sayParts = (parts: readonly CopyPart[], sayChoice: SayChoice): string =>
  parts
    .map((part) => sayPart(part, sayChoice))
    .filter(Boolean)
    .join('\n\n');

/** A text that is said to each reader in their language. */
const copy = (parts: readonly (CopyPart | null | '' | false)[]): Pick<Snapshot, 'text' | 'parts'> => {
  const said = parts.filter((part): part is CopyPart => part !== null && part !== '' && part !== false);
  // as earlier releases wrote it, whose copies are compared with this one
  return { text: speaking(ENGLISH_TEXTS, () => sayParts(said, (_, value) => value)), parts: said };
};

export const snapshotAd = (ad: AdDetails): Snapshot => {
  const images = ad.images.map(({ sha256 }) => sha256);
  const { description, location, external_link: link, category_slug: category } = ad;
  const details = Object.fromEntries(Object.entries(ad.details).map(([key, value]) => [key, String(value)]));
  return {
    ...NOTHING,
    about: 'ad',
    title: ad.title,
    ...copy([
      description,
      location && { key: 'moderation.copyLocation', values: { place: location } },
      { category, details },
      link && { key: 'moderation.copyLink', values: { link } },
    ]),
    price: ad.price,
    priceType: ad.price_type,
    condition: ad.condition,
    category: ad.category,
    categorySlug: category,
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

const copyMessage = ({ id, sender_id, content, created_at, photos, offer, has_text }: MessageCopy): CopiedMessage => ({
  id,
  senderId: sender_id,
  content,
  createdAt: created_at,
  ...(offer !== null && { offer: toAmount(offer) }),
  ...(photos && { photos, ...(!has_text && { isWordless: true }) }),
});

/** `messages`: the reported message last. */
export const snapshotMessages = (messages: readonly MessageCopy[]): Snapshot => {
  const { content } = messages.at(-1)!;
  return {
    ...NOTHING,
    about: 'message',
    title: shorten(content, TITLE_LENGTH),
    text: content,
    messages: messages.map(copyMessage),
  };
};

export const snapshotRating = ({ value, tags, text, reply, removed_at }: RatingDetails): Snapshot => {
  const heading: ErrorPhrase = { key: `moderation.copyRating_${value}` };
  return {
    ...NOTHING,
    about: 'rating',
    title: toEnglish(heading),
    heading,
    ...copy([tags.length > 0 && { tags }, text, reply && { key: 'moderation.copyReply', values: { text: reply } }]),
    state: removed_at === null ? null : 'removed',
  };
};

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

/** What its readers call the category of the copy today; as it was, if it is gone. */
const readCategory = async (db: Db, { category, categorySlug }: Snapshot, language: Language) => {
  const row = categorySlug === undefined ? undefined : await findCurrentCategory(db, categorySlug);
  const [named] = row ? await nameIn(db, [row], language) : [];
  return named?.name ?? category;
};

const sayText = ({ text, messages }: Snapshot): string => {
  const reported = messages.at(-1);
  return reported ? sayMessage(reported) : text;
};

const sayCopy = (snapshot: Snapshot, isGone: boolean) => ({
  title: sayTitle(snapshot, isGone),
  messages: snapshot.messages.map(({ id, senderId, createdAt, photos, ...words }) => ({
    id,
    senderId,
    content: sayMessage({ ...words, photos }),
    createdAt,
    ...(photos && { photos: photos.map(({ sha256: _sha256, ...photo }) => photo) }),
  })),
  text: sayParts(
    [
      ...(snapshot.parts ?? [sayText(snapshot)]),
      snapshot.condition ? t('moderation.copyCondition', { condition: CONDITIONS[snapshot.condition] }) : '',
    ],
    ({ options }, value) => options?.[value] ?? value,
  ),
});

interface Showing {
  url: string | null;
  isGone: boolean;
  language: Language;
}

export const presentSnapshot = async (
  db: Db,
  snapshot: Snapshot,
  { url, isGone, language }: Showing,
): Promise<CaseTarget> => {
  const stored = await findImages(db, snapshot.images);
  const category = await readCategory(db, snapshot, language);
  return {
    ...speaking(readTexts(language), () => sayCopy(snapshot, isGone)),
    url,
    imageUrls: snapshot.images.filter((sha256) => stored.has(sha256)).map((sha256) => toMediaUrl(sha256, 'full')),
    price: snapshot.price,
    priceType: snapshot.priceType ?? null,
    category,
    state: snapshot.state,
    isGone,
  };
};

export const isEdited = (before: Snapshot, now: Snapshot): boolean =>
  (['title', 'text', 'category'] as const).some((key) => before[key] !== now[key]) ||
  // "9.2" after a conversion
  Number(before.price) !== Number(now.price) ||
  (before.priceType !== undefined && before.priceType !== now.priceType) ||
  before.images.join() !== now.images.join() ||
  (before.condition !== undefined && before.content !== now.content);
