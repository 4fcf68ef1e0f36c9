import { formatPrice } from '../../../contract/money.ts';
import type { NotificationKind } from '../../../contract/notifications.ts';
import type { MailedNotification } from './notification-mail.ts';

type Sample = Pick<MailedNotification, 'title' | 'body' | 'url'>;

/** A notification of each kind, with the words that the product uses, for previews of their mails. */
const listSamples = (): Readonly<Record<NotificationKind, Sample>> => ({
  message: {
    title: 'New message from Dana Fielding',
    body: 'Road bike, 56 cm, almost new',
    url: '/messages/10023/10007',
  },
  ad_approved: {
    title: 'Your ad “Road bike, 56 cm, almost new” is approved',
    body: 'Everyone can see it now.',
    url: '/ads/10023',
  },
  ad_rejected: {
    title: 'We did not approve your ad “Road bike, 56 cm, almost new”',
    body: 'Reason: Wrong category\n\nPlease choose “Sports & Outdoors” and post it again.',
    url: '/decisions#10004',
  },
  ad_held: {
    title: 'Your ad “Road bike, 56 cm, almost new” waits for review',
    body: 'Several people reported it. It is hidden until we have checked it.',
    url: '/decisions#10004',
  },
  ad_expiring: {
    title: 'Is this still available?',
    body: 'Road bike, 56 cm, almost new\nThis ad expires on 3 December 2026.',
    url: '/still-available?ad=10023&ends=2026-12-03T10%3A00%3A00Z',
  },
  ad_expired: {
    title: 'Your ad has expired',
    body: 'Road bike, 56 cm, almost new',
    url: '/still-available?ad=10023&ends=2026-12-03T10%3A00%3A00Z',
  },
  price_drop: {
    title: 'Price dropped: Road bike, 56 cm, almost new',
    body: `Now ${formatPrice(380)}, was ${formatPrice(450)}`,
    url: '/ads/10023',
  },
  search_match: {
    title: `3 new ads for “road bike under ${formatPrice(500)}”`,
    body: 'Road bike, 56 cm, almost new, Gravel bike and Kids’ bike',
    url: '/?search=road+bike&maxPrice=500',
  },
  seller_new_ad: {
    title: 'Dana Fielding posted a new ad',
    body: `Road bike, 56 cm, almost new · ${formatPrice(450)}`,
    url: '/ads/10023',
  },
  offer: {
    title: `Dana Fielding accepted your offer of ${formatPrice(400)}`,
    body: 'Road bike, 56 cm, almost new\nIt is reserved for you until 30 November 2026.',
    url: '/messages/10023/10007',
  },
  reservation: {
    title: 'Reserved for you: Road bike, 56 cm, almost new',
    body: 'Dana Fielding reserved it for you until 30 November 2026.',
    url: '/ads/10023',
  },
  deal: { title: 'This item has been sold.', body: 'Road bike, 56 cm, almost new', url: '/ads/10023' },
  rating: {
    title: 'Dana Fielding rated you',
    body: 'Good · Road bike, 56 cm, almost new',
    url: '/users/10007#ratings',
  },
  report_outcome: { title: 'We removed the ad you reported.', body: '', url: null },
  decision: {
    title: 'Your account is suspended until 30 November 2026 UTC',
    body: 'Reason: Spam or duplicate\n\nYou posted the same ad seven times.',
    url: '/decisions#10004',
  },
  notice: {
    title: 'New rules from December on',
    body: 'Hello,\n\nfrom 1 December on, ads in “Services” need a price.\nThe rules are at /terms-of-service.',
    url: null,
  },
});

/** What the mail of this kind is about, with ids that exist nowhere. */
export const sampleNotification = (kind: NotificationKind): MailedNotification => ({
  notificationId: '10001',
  user_id: '0',
  user_created_at: '2026-11-23T10:00:00Z',
  kind,
  created_at: '2026-11-23T10:00:00Z',
  is_banned: false,
  ...listSamples()[kind],
});
