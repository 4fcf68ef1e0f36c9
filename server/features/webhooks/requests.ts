import { type Currency, formatPrice } from '../../../contract/money.ts';
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

/** Where each event leads, and what it reads like. */
const TELL: { [E in WebhookEvent]: Tell<E> } = {
  'ad.listed': toAd((title) => `New ad: ${title}`),
  'ad.updated': toAd((title) => `Changed: ${title}`),
  'ad.sold': toAd((title) => `Sold: ${title}`),
  'ad.ended': toAd((title) => `No longer listed: ${title}`),
  'offer.made': toConversation((title, amount) => `Offer of ${amount} for ${title}`),
  'offer.accepted': toConversation((title, amount) => `Offer of ${amount} for ${title} was accepted`),
  'message.received': ({ adId, personId }, title) => ({
    path: `/messages/${adId}/${personId}`,
    sentence: `New message about ${title}`,
  }),
  'search.matched': ({ adId }, title) => ({ path: `/ads/${adId}`, sentence: `New ad for your search: ${title}` }),
  'report.opened': ({ targetType }) => ({ path: '/admin?tab=reports', sentence: `New report about: ${targetType}` }),
  'user.banned': ({ userId }) => ({ path: '/admin', sentence: `Person ${userId} was banned` }),
};

const tell = ({ type, data, adTitle }: ToldEvent): Telling => {
  if (type === 'webhook.test') return { path: '/', sentence: 'Test of a webhook: nothing happened.' };
  const { adId } = data as { adId?: string };
  return (TELL[type] as Tell<never>)(data as never, adTitle ?? `ad ${adId}`);
};

/** What a title could do in Discord: formats, links, mentions. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]()#@:-]/g, '\\$&');

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

/** Each format's request: a pure function of the event, so that every attempt sends the same. */
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
