import type { NotificationKind } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import { toBanPath } from './ban-links.ts';
import { listExpiryLinks } from './expiry-links.ts';
import { type MailContext, type MailLink, renderMail, toContact } from './mail-layout.ts';
import { type MailedKind, toUnsubscribeUrl } from './settings.ts';

/** A notification as its mail needs it. */
export interface MailedNotification extends MailedKind {
  notificationId: string;
  title: string;
  body: string;
  url: string | null;
  created_at: string;
  is_banned: boolean;
}

interface KindTexts {
  /** The button that leads to the subject. */
  action: string;
  /** The button instead of it, where it leads to one ad. */
  adAction?: string;
  /** Completes "You get this mail because …" */
  because: string;
  /** What a mail program lists, and what "Unsubscribe from …" names. */
  list: string;
}

const KINDS: Readonly<Record<NotificationKind, KindTexts>> = {
  message: { action: 'Read the message', because: 'you have a new message', list: 'messages' },
  ad_approved: { action: 'View your ad', because: 'it is about your ad', list: 'approved ads' },
  ad_rejected: { action: 'Read the reasons', because: 'it is about your ad', list: 'rejected ads' },
  ad_held: { action: 'Read the reasons', because: 'it is about your ad', list: 'ads in review' },
  ad_expiring: { action: 'View your ad', because: 'your ad ends soon', list: 'ads that end soon' },
  ad_expired: { action: 'View your ads', because: 'your ad ended', list: 'ads that ended' },
  price_drop: { action: 'View the ad', because: 'you saved this ad', list: 'lower prices' },
  search_match: {
    action: 'View the ads',
    adAction: 'View the ad',
    because: 'you saved this search',
    list: 'saved searches',
  },
  seller_new_ad: {
    action: 'View the ads',
    adAction: 'View the ad',
    because: 'you follow this seller',
    list: 'sellers you follow',
  },
  offer: { action: 'View the offer', because: 'you take part in this conversation', list: 'offers' },
  reservation: { action: 'View the ad', because: 'the ad is yours, or you wrote about it', list: 'reservations' },
  deal: { action: 'View the ad', because: 'you wrote about this ad', list: 'sales' },
  rating: { action: 'Read the rating', because: 'it is about your deal', list: 'ratings' },
  report_outcome: { action: 'View the notification', because: 'you reported something', list: 'outcomes of reports' },
  decision: { action: 'Read the reasons', because: 'it is about your account or your ad', list: 'decisions' },
  notice: { action: 'View the notification', because: 'you have an account here', list: 'notices' },
};

/** Usually one button. The question about the end of an ad has one for each answer. */
const listActions = (
  ctx: Pick<AppContext, 'config' | 'clock'>,
  { kind, user_id: userId, user_created_at, url, is_banned }: MailedNotification,
  label: string,
): MailLink[] => {
  const { publicUrl } = ctx.config;
  // who is banned cannot sign in to read it
  if (is_banned) return [{ label, url: `${publicUrl}${toBanPath(ctx, { id: userId, created_at: user_created_at })}` }];
  const isExpiry = url !== null && (kind === 'ad_expiring' || kind === 'ad_expired');
  const answers = isExpiry ? listExpiryLinks(ctx, { userId, path: url, hasEnded: kind === 'ad_expired' }) : [];
  return answers.length > 0 ? answers : [{ label, url: `${publicUrl}${url ?? '/notifications'}` }];
};

/** Where the receiver answers: in the conversation that the mail leads to, if it leads to one. */
const toAnswer = ({ config }: Pick<AppContext, 'config'>, url: string | null): MailLink =>
  url?.startsWith('/messages/')
    ? { label: 'Answer in the conversation', url: `${config.publicUrl}${url}` }
    : toContact(config);

/**
 * The mail about a notification. Its Message-ID depends on the notification alone, so mail programs show a repeated
 * mail once.
 */
export const buildNotificationMail = (ctx: MailContext, row: MailedNotification, address: string): EmailMessage => {
  const { siteName, publicUrl } = ctx.config;
  const { action, adAction = action, because, list } = KINDS[row.kind];
  const host = new URL(publicUrl).hostname;
  const unsubscribeUrl = toUnsubscribeUrl(ctx, row);
  const content = {
    title: row.title,
    body: row.body,
    actions: listActions(ctx, row, row.url?.startsWith('/ads/') ? adAction : action),
    reason: `You get this mail from ${siteName} because ${because}.`,
    answer: toAnswer(ctx, row.url),
    links: [
      { label: 'Notification Settings', url: `${publicUrl}/dashboard#notification-settings` },
      { label: `Unsubscribe from ${list}`, url: unsubscribeUrl },
    ],
  };
  return {
    to: address,
    subject: row.title,
    from: siteName,
    ...renderMail(ctx, content),
    // a restored database may give an id to another notification
    messageId: `notification-${row.notificationId}-${Date.parse(row.created_at).toString(36)}@${host}`,
    list: { id: `${row.kind.replaceAll('_', '-')}.${host}`, name: `${siteName}: ${list}`, unsubscribeUrl },
    isAutomatic: true,
  };
};
