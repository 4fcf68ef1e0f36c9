import { speaking, type Texts, t } from '../../../contract/i18n.ts';
import type { NotificationKind } from '../../../contract/notifications.ts';
import type { RatingValue } from '../../../contract/ratings.ts';
import { REPORT_REASONS } from '../../../contract/report-reasons.ts';
import type { ReportReason } from '../../../contract/reports.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { formatDay, formatMoment } from '../../times.ts';
import { type Amount, type Asking, formatAmount, formatAsking, toSome } from './news-values.ts';

/** What a person reads. */
export interface Words {
  title: string;
  body: string;
}

/** Null: it was deleted. */
type AdTitle = string | null;

const toAd = (ad: AdTitle): string => ad ?? t('news.deletedAd');

/** `note`: what staff wrote to the person. */
interface Why {
  reason: ReportReason;
  note: string | null;
}

const toWhy = ({ reason, note }: Why): string =>
  [t('news.reason', { reason: REPORT_REASONS[reason] }), note].filter(Boolean).join('\n');

interface Device {
  name: string;
}

const ABOUT_DECISIONS = {
  suspend: { reversed: 'news.reversedSuspension', confirmed: 'news.confirmedSuspension' },
  ban: { reversed: 'news.reversedBan', confirmed: 'news.confirmedBan' },
  warn: { reversed: 'news.reversedWarning', confirmed: 'news.confirmedWarning' },
  ad: { reversed: 'news.reversedAd', confirmed: 'news.confirmedAd' },
  rating: { reversed: 'news.reversedRating', confirmed: 'news.confirmedRating' },
  titledAd: { reversed: 'news.reversedTitledAd', confirmed: 'news.confirmedTitledAd' },
  titledRating: { reversed: 'news.reversedTitledRating', confirmed: 'news.confirmedTitledRating' },
} as const;

interface Appealed {
  about: 'suspend' | 'ban' | 'warn' | 'ad' | 'rating';
  /** Of the ad or the deal. */
  title: string | null;
}

const toAppealTitle = ({ about, title }: Appealed, end: 'reversed' | 'confirmed'): string => {
  if (title === null) return t(ABOUT_DECISIONS[about][end]);
  const titled = about === 'rating' ? ABOUT_DECISIONS.titledRating : ABOUT_DECISIONS.titledAd;
  return t(titled[end], { title });
};

type Tell = (params: never) => Words;

/**
 * What each kind of notification can tell, and its words in the language that is spoken now. The database keeps the parameters
 * (`is` and the values) for 90 days: one that is renamed is read for as long under its old name, too.
 */
const NEWS = {
  message: {
    unread: ({ name, ad }: { name: string; ad: AdTitle }) => ({
      title: t('news.newMessage', { name }),
      body: toAd(ad),
    }),
  },
  ad_approved: {
    approved: ({ ad }: { ad: string }) => ({ title: t('news.approved', { ad }), body: t('news.approvedText') }),
    cleared: ({ ad }: { ad: string }) => ({ title: t('news.publicAgain', { ad }), body: t('news.clearedText') }),
    activated: ({ ad }: { ad: string }) => ({ title: t('news.publicAgain', { ad }), body: t('news.activatedText') }),
  },
  ad_rejected: {
    rejected: ({ title, ...why }: Why & { title: string | null }) => ({
      title: title === null ? t('news.rejected') : t('news.rejectedTitled', { title }),
      body: toWhy(why),
    }),
  },
  ad_held: {
    held: ({ title }: { title: string | null }) => ({
      title: title === null ? t('news.held') : t('news.heldTitled', { title }),
      body: t('news.heldText'),
    }),
  },
  ad_expiring: {
    expiring: ({ ad, day }: { ad: string; day: string }) => ({
      title: t('news.stillAvailable'),
      body: `${ad}\n${t('news.expiresOn', { date: formatDay(day) })}`,
    }),
  },
  ad_expired: { expired: ({ ad }: { ad: string }) => ({ title: t('news.adExpired'), body: ad }) },
  price_drop: {
    dropped: ({ ad, now, before }: { ad: string; now: Asking; before: Amount }) => ({
      title: t('news.priceDropped', { ad }),
      body: t('news.priceNowWas', { now: formatAsking(now), before: formatAmount(before) }),
    }),
  },
  search_match: {
    found: ({ name, count, titles }: { name: string; count: number; titles: readonly string[] }) => ({
      title: t('news.foundFor', { count, name }),
      body: toSome(titles, count),
    }),
  },
  seller_new_ad: {
    one: ({ name, ad, price }: { name: string; ad: string; price: Asking }) => ({
      title: t('news.postedOne', { name }),
      body: `${ad} · ${formatAsking(price)}`,
    }),
    several: ({ name, count, titles }: { name: string; count: number; titles: readonly string[] }) => ({
      title: t('news.postedSeveral', { count, name }),
      body: toSome(titles, count),
    }),
  },
  offer: {
    /** `buyer`: for whom it is reserved; null for the receiver. */
    accepted: ({
      name,
      ad,
      buyer,
      day,
      ...amount
    }: Amount & { name: string; ad: AdTitle; buyer: string | null; day: string }) => {
      const date = formatDay(day);
      const end =
        buyer === null ? t('news.reservedUntil', { date }) : t('news.reservedForUntil', { date, name: buyer });
      return { title: t('news.offerAccepted', { name, amount: formatAmount(amount) }), body: `${toAd(ad)}\n${end}` };
    },
    declined: ({ name, ad, ...amount }: Amount & { name: string; ad: AdTitle }) => ({
      title: t('news.offerDeclined', { name, amount: formatAmount(amount) }),
      body: toAd(ad),
    }),
    expired: ({ ad, ...amount }: Amount & { ad: AdTitle }) => ({
      title: t('news.offerExpired', { amount: formatAmount(amount) }),
      body: toAd(ad),
    }),
  },
  reservation: {
    reserved: ({ ad }: { ad: string }) => ({ title: t('news.reserved'), body: ad }),
    released: ({ ad }: { ad: string }) => ({ title: t('news.released'), body: ad }),
    releasedBy: ({ ad, name }: { ad: string; name: string }) => ({ title: t('news.releasedBy', { name }), body: ad }),
    endedForYou: ({ ad, days }: { ad: string; days: number }) => ({
      title: t('news.reservationForYouEnded'),
      body: `${ad}\n${t('news.reservationsEnd', { count: days })}`,
    }),
    ended: ({ ad, days }: { ad: string; days: number }) => ({
      title: t('news.reservationEnded'),
      body: `${ad}\n${t('news.reservationsEnd', { count: days })}`,
    }),
  },
  deal: {
    sold: ({ ad }: { ad: string }) => ({ title: t('news.sold'), body: ad }),
    soldToYou: ({ ad, name }: { ad: string; name: string }) => ({ title: t('news.soldToYou', { name }), body: ad }),
    notBought: ({ ad, name }: { ad: string; name: string }) => ({ title: t('news.notBought', { name }), body: ad }),
  },
  rating: {
    hidden: ({ ad, name }: { ad: AdTitle; name: string }) => ({
      title: t('news.ratedHidden', { name }),
      body: toAd(ad),
    }),
    rated: ({ ad, name, value, isDeleted }: { ad: AdTitle; name: string; value: RatingValue; isDeleted?: true }) => ({
      title: t('news.rated', { name: isDeleted ? t('person.deletedUser') : name }),
      body: `${t(`deals.value_${value}`)} · ${toAd(ad)}`,
    }),
    replied: ({ ad, name }: { ad: AdTitle; name: string }) => ({
      title: t('news.repliedToRating', { name }),
      body: toAd(ad),
    }),
  },
  report_outcome: {
    dismissed: (_: object) => ({ title: t('news.noViolation'), body: '' }),
    adRemoved: (_: object) => ({ title: t('news.reportedAdRemoved'), body: '' }),
    acted: (_: object) => ({ title: t('news.acted'), body: '' }),
  },
  decision: {
    adRemoved: ({ title, ...why }: Why & { title: string | null }) => ({
      title: title === null ? t('news.adRemoved') : t('news.titledAdRemoved', { title }),
      body: toWhy(why),
    }),
    ratingRemoved: ({ title, ...why }: Why & { title: string | null }) => ({
      title: title === null ? t('news.ratingRemoved') : t('news.titledRatingRemoved', { title }),
      body: toWhy(why),
    }),
    warned: (why: Why) => ({ title: t('news.warned'), body: toWhy(why) }),
    suspended: ({ until, ...why }: Why & { until: string }) => ({
      title: t('news.suspended', { time: formatMoment(until) }),
      body: toWhy(why),
    }),
    banned: (why: Why) => ({ title: t('news.banned'), body: toWhy(why) }),
    reversed: (appealed: Appealed) => ({ title: toAppealTitle(appealed, 'reversed'), body: t('news.reversedText') }),
    confirmed: (appealed: Appealed) => ({ title: toAppealTitle(appealed, 'confirmed'), body: t('news.confirmedText') }),
  },
  notice: {
    webhookGone: ({ host }: { host: string }) => ({
      title: t('news.webhookOff'),
      body: t('news.webhookGone', { host }),
    }),
    webhookFailing: ({ host, days }: { host: string; days: number }) => ({
      title: t('news.webhookOff'),
      body: t('news.webhookFailing', { host, count: days }),
    }),
    tokenMade: ({ name, days, scopes }: Device & { days: number; scopes: readonly string[] }) => ({
      title: t('news.tokenMade'),
      body: t('news.tokenMadeText', { count: days, name, scopes: scopes.join(', ') }),
    }),
    secured: (_: object) => ({ title: t('news.secured'), body: t('news.securedText') }),
    recoveryLinkMade: ({ minutes }: { minutes: number }) => ({
      title: t('news.recoveryLinkMade'),
      body: t('news.recoveryLinkMadeText', { count: minutes }),
    }),
    enteredByLink: (_: object) => ({ title: t('news.enteredByLink'), body: t('news.enteredText') }),
    enteredByCode: (_: object) => ({ title: t('news.enteredByCode'), body: t('news.enteredText') }),
    passkeyAdded: ({ name }: Device) => ({ title: t('news.passkeyAdded'), body: t('news.passkeyAddedText', { name }) }),
    passkeyRemoved: ({ name }: Device) => ({
      title: t('news.passkeyRemoved'),
      body: t('news.passkeyRemovedText', { name }),
    }),
    passwordAdded: (_: object) => ({ title: t('news.passwordAdded'), body: t('news.passwordAddedText') }),
    passwordChanged: (_: object) => ({ title: t('news.passwordChanged'), body: t('news.passwordChangedText') }),
    passwordOff: (_: object) => ({ title: t('news.passwordOff'), body: t('news.passwordOffText') }),
    codesMade: (_: object) => ({ title: t('news.codesMade'), body: t('news.codesMadeText') }),
    codesDeleted: ({ count }: { count: number }) => ({
      title: t('news.codesDeleted'),
      body: t('news.codesDeletedText', { count }),
    }),
    addressAdded: ({ address }: { address: string }) => ({
      title: t('news.addressAdded'),
      body: t('news.addressAddedText', { address }),
    }),
    addressRemoved: (_: object) => ({ title: t('news.addressRemoved'), body: t('news.addressRemovedText') }),
    addressChanged: ({ address }: { address: string }) => ({
      title: t('news.addressChanged'),
      body: t('news.addressChangedText', { address }),
    }),
    addressRefused: ({ address }: { address: string }) => ({
      title: t('news.addressRefused'),
      body: t('news.addressRefusedText', { address }),
    }),
  },
} satisfies Record<NotificationKind, Record<string, Tell>>;

/** The operator may test any kind. */
const TEST = {
  test: ({ site }: { site: string }) => ({ title: t('news.test', { site }), body: t('news.testText') }),
};

type ParamsIn<Tells> = {
  [Is in keyof Tells]: { is: Is } & (Tells[Is] extends (params: infer P) => Words ? P : never);
}[keyof Tells];

/** What a notification tells, as it is stored. */
export type News = {
  [Kind in NotificationKind]: { kind: Kind; params: ParamsIn<(typeof NEWS)[Kind]> | ParamsIn<typeof TEST> };
}[NotificationKind];

export type NewsParams = News['params'];

/** A row: rows of before, and what the team wrote, have no parameters. */
export interface StoredNews extends Words {
  kind: NotificationKind;
  params: { is: string } | null;
}

const findTell = (kind: NotificationKind, is: string): ((params: object) => Words) | undefined =>
  ({ ...NEWS[kind], ...TEST })[is as never];

/** In the language that is spoken now. What this release does not know, a later one has stored in English, too. */
export const tell = ({ kind, params, title, body }: StoredNews): Words =>
  (params && findTell(kind, params.is)?.(params)) ?? { title, body };

/** The words of a notification in a language. */
export const readNews = (row: StoredNews, texts: Texts): Words => speaking(texts, () => tell(row));

/** What the previous release reads, and this one where a later one wrote what it does not know. */
export const toEnglish = (news: News): Words => readNews({ ...news, title: '', body: '' }, readTexts('en'));
