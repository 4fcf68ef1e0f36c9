import { speaking, type TextKey, t } from '../../../contract/i18n.ts';
import type { NotificationKind } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import { toBanPath } from './ban-links.ts';
import { listExpiryLinks } from './expiry-links.ts';
import { type MailContext, type MailLink, renderMail, toContact } from './mail-layout.ts';
import { type StoredNews, tell } from './news.ts';
import { type MailedKind, toUnsubscribeUrl } from './settings.ts';

/** A notification as its mail needs it. */
export interface MailedNotification extends MailedKind, StoredNews {
  notificationId: string;
  url: string | null;
  created_at: string;
  is_banned: boolean;
}

interface KindTexts {
  /** The button that leads to the subject. */
  action: TextKey;
  /** The button instead of it, where it leads to one ad. */
  adAction?: TextKey;
  /** Why the receiver gets this mail. */
  because: TextKey;
}

const KINDS: Readonly<Record<NotificationKind, KindTexts>> = {
  message: { action: 'mails.readMessage', because: 'mails.becauseMessage' },
  ad_approved: { action: 'mails.viewYourAd', because: 'mails.becauseAd' },
  ad_rejected: { action: 'mails.readReasons', because: 'mails.becauseAd' },
  ad_held: { action: 'mails.readReasons', because: 'mails.becauseAd' },
  ad_expiring: { action: 'mails.viewYourAd', because: 'mails.becauseEnding' },
  ad_expired: { action: 'mails.viewYourAds', because: 'mails.becauseEnded' },
  price_drop: { action: 'mails.viewAd', because: 'mails.becauseSaved' },
  search_match: { action: 'mails.viewAds', adAction: 'mails.viewAd', because: 'mails.becauseSearch' },
  seller_new_ad: { action: 'mails.viewAds', adAction: 'mails.viewAd', because: 'mails.becauseFollowed' },
  offer: { action: 'mails.viewOffer', because: 'mails.becauseConversation' },
  reservation: { action: 'mails.openConversation', because: 'mails.becauseReserved' },
  deal: { action: 'mails.viewAd', because: 'mails.becauseWrote' },
  rating: { action: 'mails.readRating', because: 'mails.becauseDeal' },
  report_outcome: { action: 'mails.viewNotification', because: 'mails.becauseReported' },
  decision: { action: 'mails.readReasons', because: 'mails.becauseAccount' },
  notice: { action: 'mails.viewNotification', because: 'mails.becauseMember' },
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
    ? { label: t('mails.answerInConversation'), url: `${config.publicUrl}${url}` }
    : toContact(config);

/**
 * The mail about a notification, in the language of its receiver. Its Message-ID depends on the notification alone, so mail programs
 * show a repeated mail once.
 */
export const buildNotificationMail = (ctx: MailContext, row: MailedNotification, address: string): EmailMessage =>
  speaking(ctx.texts, () => {
    const { siteName, publicUrl } = ctx.config;
    const { title, body } = tell(row);
    const { action, adAction = action, because } = KINDS[row.kind];
    // what a mail program lists, and what the link at the end names
    const list = t(`mails.list_${row.kind}`);
    const host = new URL(publicUrl).hostname;
    const unsubscribeUrl = toUnsubscribeUrl(ctx, row);
    const content = {
      title,
      body,
      actions: listActions(ctx, row, t(row.url?.startsWith('/ads/') ? adAction : action)),
      reason: t(because, { site: siteName }),
      answer: toAnswer(ctx, row.url),
      links: [
        { label: t('notifications.settingsTitle'), url: `${publicUrl}/dashboard#notification-settings` },
        { label: t('mails.unsubscribe', { list }), url: unsubscribeUrl },
      ],
    };
    return {
      to: address,
      subject: title,
      from: siteName,
      ...renderMail(ctx, content),
      // a restored database may give an id to another notification
      messageId: `notification-${row.notificationId}-${Date.parse(row.created_at).toString(36)}@${host}`,
      list: { id: `${row.kind.replaceAll('_', '-')}.${host}`, name: `${siteName}: ${list}`, unsubscribeUrl },
      isAutomatic: true,
    };
  });
