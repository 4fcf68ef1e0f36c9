import { t } from '../../../contract/i18n.ts';
import { type Currency, formatPrice } from '../../../contract/money.ts';
import type { ReportTarget } from '../../../contract/reports.ts';
import type { WebhookEvent, WebhookFormat } from '../../../contract/webhooks.ts';
import type { StoredSubject } from './events-repository.ts';

/** An event as a webhook tells of it. `webhook.test`: nothing happened. */
export interface ToldEvent {
  type: WebhookEvent | 'webhook.test';
  /** What is stored of it. */
  data: object;
  at: string;
  /** Of the ad that it is about, while that is public. */
  adTitle: string | null;
}

export interface Site {
  publicUrl: string;
  currency: Pick<Currency, 'code'>;
}

interface Telling {
  path: string;
  sentence: string;
}

type Tell<E extends WebhookEvent> = (data: StoredSubject<E>, title: string) => Telling;

const toAd =
  (sentence: (title: string) => string): Tell<'ad.listed'> =>
  (data, title) => ({
    path: `/ads/${data.adId}`,
    sentence: sentence(title),
  });
const toConversation =
  (sentence: (title: string, amount: string) => string): Tell<'offer.made'> =>
  ({ adId, personId, amount }, title) => ({
    path: `/messages/${adId}/${personId}`,
    sentence: sentence(title, amount && formatPrice(amount)),
  });

/** Where each event leads, and what it reads like in the language that is spoken now. */
const TELL: { [E in WebhookEvent]: Tell<E> } = {
  'ad.listed': toAd((title) => t('news.hook_ad_listed', { title })),
  'ad.updated': toAd((title) => t('news.hook_ad_updated', { title })),
  'ad.sold': toAd((title) => t('news.hook_ad_sold', { title })),
  'ad.ended': toAd((title) => t('news.hook_ad_ended', { title })),
  'offer.made': toConversation((title, amount) => t('news.hook_offer_made', { amount, title })),
  'offer.accepted': toConversation((title, amount) => t('news.hook_offer_accepted', { amount, title })),
  'message.received': ({ adId, personId }, title) => ({
    path: `/messages/${adId}/${personId}`,
    sentence: t('news.hook_message_received', { title }),
  }),
  'search.matched': ({ adId }, title) => ({ path: `/ads/${adId}`, sentence: t('news.hook_search_matched', { title }) }),
  'report.opened': ({ targetType }) => ({
    path: '/admin?tab=reports',
    sentence: t(`news.hook_report_${targetType as ReportTarget}`),
  }),
  'user.banned': ({ userId }) => ({ path: '/admin', sentence: t('news.hook_user_banned', { id: userId }) }),
};

const tell = ({ type, data, adTitle }: ToldEvent): Telling => {
  if (type === 'webhook.test') return { path: '/', sentence: t('news.hook_test') };
  const { adId } = data as { adId?: string };
  return (TELL[type] as Tell<never>)(data as never, adTitle ?? t('news.hook_untitled', { id: adId ?? '' }));
};

/** What a title could do in Discord: formats, links, mentions. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]()#@:-]/g, '\\$&');

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

/** Each format's request: a function of the event and the language alone, so that every attempt sends the same. */
const FORMATS: Record<
  WebhookFormat,
  (event: ToldEvent, telling: Telling & { url: string }, site: Site) => WebhookRequest
> = {
  standard: ({ type, data, at }, { url }, { currency }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type,
      timestamp: at,
      data: { ...data, ...('amount' in data && { currency: currency.code }), url },
    }),
  }),
  discord: (_, { sentence, url }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      content: `${escapeMarkdown(sentence)}\n${url}`,
      allowed_mentions: { parse: [] },
    }),
  }),
  ntfy: (_, { sentence, url }) => ({
    headers: { 'content-type': 'text/plain; charset=utf-8', click: url },
    body: sentence,
  }),
};

export const buildRequest = (format: WebhookFormat, event: ToldEvent, site: Site): WebhookRequest => {
  const telling = tell(event);
  return FORMATS[format](event, { ...telling, url: `${site.publicUrl}${telling.path}` }, site);
};
