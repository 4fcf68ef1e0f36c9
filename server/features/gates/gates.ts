// Limits against spam. Staff are exempt, and what a seed or a backup brings is not checked.

import type { Settings } from '../../../contract/admin.ts';
import type { Confirmed } from '../../../contract/ads.ts';
import type { TextKey } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import type { ErrorValues } from '../../error-phrases.ts';
import { AppError, forbidden } from '../../errors.ts';
import { isStaff, type UserActor } from '../../policy.ts';
import { haveSameWords } from '../ads/search/words/phrases.ts';
import { listNewAdTimes, listSimilarAds, lockNewAds, type NewMessage, readSenderSituation } from './repository.ts';
import { listNumbers, waitFor, whenOldEnough } from './rules.ts';

/** Share of trigrams from which on two texts are similar, whatever their words. */
const SIMILAR = 0.9;

const HOUR = 3600;
const DAY = 24 * HOUR;

const tooMany = (key: TextKey, values: ErrorValues, retryAfter: number) =>
  new AppError('rate_limited', { key, values: { ...values, wait: { seconds: retryAfter } }, retryAfter });

/** What minXAccountAgeDays closes, in the words of settings and documents, with the refusal. */
export const X_AGE_PURPOSES = {
  ads: 'errors.xAge_ads',
  'first messages': 'errors.xAge_firstMessages',
  offers: 'errors.xAge_offers',
  reports: 'errors.xAge_reports',
} as const satisfies Record<string, TextKey>;

/** Refuses users whose X account is too young. @throws {AppError} forbidden (says from when on it is old enough) */
export const checkXAccountAge = (
  { minXAccountAgeDays: days }: Pick<Settings, 'minXAccountAgeDays'>,
  actor: UserActor,
  { x_account_created: created }: Pick<UserRow, 'x_account_created'>,
  { purpose, now }: { purpose: keyof typeof X_AGE_PURPOSES; now: Date },
): void => {
  if (days === 0 || isStaff(actor)) return;
  const rule = { key: X_AGE_PURPOSES[purpose], values: { count: days } };
  if (created === null) throw forbidden('errors.xAgeUnknown', { rule });
  const date = whenOldEnough(created, days, now.valueOf());
  if (date === null) return;
  throw forbidden('errors.xAgeFrom', { rule, day: { day: date } });
};

const isNewAccount = ({ created_at }: UserRow, now: number): boolean =>
  Date.parse(created_at) + LIMITS.newAccountDays * DAY * 1000 > now;

/**
 * Checks the limits of a new ad and locks the seller's new ads until the transaction ends. @throws {AppError} forbidden
 * (young X account), rate_limited (new account), similar_ad (unless the person was asked), conflict (too many similar ads);
 * `fields.similarAd` is the path of the newest of them
 */
export const checkNewAd = async (
  trx: Trx,
  settings: Settings,
  actor: UserActor,
  seller: UserRow,
  text: { title: string; description: string } & Confirmed,
): Promise<void> => {
  if (isStaff(actor)) return;
  checkXAccountAge(settings, actor, seller, { purpose: 'ads', now: getNow(trx) });
  await lockNewAds(trx, seller.id);
  const { newAccountAdsPerDay: limit } = settings;
  const now = getNow(trx).valueOf();
  if (limit > 0 && isNewAccount(seller, now)) {
    const wait = waitFor(await listNewAdTimes(trx, seller.id), limit, DAY, now);
    if (wait !== null) throw tooMany('errors.newAccount', { days: LIMITS.newAccountDays, count: limit }, wait);
  }
  const numbers = listNumbers(`${text.title} ${text.description}`);
  const similar = (await listSimilarAds(trx, seller.id, text)).filter(
    ({ title, description, similarity }) =>
      listNumbers(`${title} ${description}`) === numbers &&
      (similarity >= SIMILAR || haveSameWords(`${title}\n${description}`, `${text.title}\n${text.description}`)),
  );
  const [newest] = similar;
  if (newest === undefined || (text.confirmSimilar && similar.length < LIMITS.similarAds)) return;
  throw new AppError(similar.length < LIMITS.similarAds ? 'similar_ad' : 'conflict', {
    key: 'errors.code_similar_ad',
    fields: { similarAd: `/ads/${newest.id}` },
  });
};

/**
 * Checks the limits of a message. The caller holds the sender's lock (lockMessagingContext, lockMessagesOf). @throws {AppError}
 * forbidden (young X account), rate_limited
 */
export const checkNewMessage = async (
  trx: Trx,
  actor: UserActor,
  sender: Pick<UserRow, 'id' | 'x_account_created'>,
  message: NewMessage,
): Promise<void> => {
  if (isStaff(actor)) return;
  const { settings, startedAt, sameTextAt } = await readSenderSituation(trx, { ...message, senderId: sender.id });
  const { newConversationsPerHour: conversations, sameTextPeople } = settings;
  const now = getNow(trx).valueOf();
  if (message.isFirst) {
    checkXAccountAge(settings, actor, sender, { purpose: 'first messages', now: getNow(trx) });
    const wait = waitFor(startedAt, conversations, HOUR, now);
    if (wait !== null) throw tooMany('errors.manyConversations', { count: conversations }, wait);
  }
  // the last of so many people is refused
  const people = Math.max(sameTextPeople - 1, 0);
  const wait = waitFor(sameTextAt, people, HOUR, now);
  if (wait !== null) throw tooMany('errors.sameText', { count: people }, wait);
};
