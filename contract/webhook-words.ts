import { labels } from './i18n.ts';
import type { WebhookEvent, WebhookFormat } from './webhooks.ts';

/** The words of the formats and events of webhooks, in a module of their own: pages that name none need no catalog for them. */
export const WEBHOOK_FORMATS = labels<WebhookFormat>({
  standard: 'webhooks.format_standard',
  discord: 'webhooks.format_discord',
  ntfy: 'webhooks.format_ntfy',
});

export const EVENT_WORDS = labels<WebhookEvent>({
  'ad.listed': 'webhooks.adListed',
  'ad.updated': 'webhooks.adUpdated',
  'ad.sold': 'webhooks.adSold',
  'ad.ended': 'webhooks.adEnded',
  'offer.made': 'webhooks.offerMade',
  'offer.accepted': 'webhooks.offerAccepted',
  'message.received': 'webhooks.messageReceived',
  'search.matched': 'webhooks.searchMatched',
  'report.opened': 'webhooks.reportOpened',
  'user.banned': 'webhooks.userBanned',
});
