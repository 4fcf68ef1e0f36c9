import type { NotificationKind } from '../../../contract/notifications.ts';
import { type News, toEnglish } from './news.ts';
import { toAmount } from './news-values.ts';
import type { MailedNotification } from './notification-mail.ts';

type Sample = News & { url: string | null };

const AD = 'Road bike, 56 cm, almost new';
const NAME = 'Dana Fielding';
const DAY = '2026-12-03';
const EXPIRY = '/still-available?ad=10023&ends=2026-12-03T10%3A00%3A00Z';

/** A notification of each kind, for previews of their mails. */
const listSamples = (): Readonly<Record<NotificationKind, Sample>> => ({
  message: { kind: 'message', params: { is: 'unread', name: NAME, ad: AD }, url: '/messages/10023/10007' },
  ad_approved: { kind: 'ad_approved', params: { is: 'approved', ad: AD }, url: '/ads/10023' },
  ad_rejected: {
    kind: 'ad_rejected',
    params: {
      is: 'rejected',
      title: AD,
      reason: 'wrong_category',
      note: 'Please choose “Sports & Outdoors” and post it again.',
    },
    url: '/decisions#10004',
  },
  ad_held: { kind: 'ad_held', params: { is: 'held', title: AD }, url: '/decisions#10004' },
  ad_expiring: { kind: 'ad_expiring', params: { is: 'expiring', ad: AD, day: DAY }, url: EXPIRY },
  ad_expired: { kind: 'ad_expired', params: { is: 'expired', ad: AD }, url: EXPIRY },
  price_drop: {
    kind: 'price_drop',
    params: { is: 'dropped', ad: AD, now: { ...toAmount('380'), priceType: 'fixed' }, before: toAmount('450') },
    url: '/ads/10023',
  },
  search_match: {
    kind: 'search_match',
    params: { is: 'found', name: 'road bike', count: 3, titles: [AD, 'Gravel bike', 'Kids’ bike'] },
    url: '/?search=road+bike&maxPrice=500',
  },
  seller_new_ad: {
    kind: 'seller_new_ad',
    params: { is: 'one', name: NAME, ad: AD, price: { ...toAmount('450'), priceType: 'negotiable' } },
    url: '/ads/10023',
  },
  offer: {
    kind: 'offer',
    params: { is: 'accepted', name: NAME, ad: AD, buyer: null, day: DAY, ...toAmount('400') },
    url: '/messages/10023/10007',
  },
  reservation: { kind: 'reservation', params: { is: 'reserved', ad: AD }, url: '/messages/10023/10007' },
  deal: { kind: 'deal', params: { is: 'sold', ad: AD }, url: '/ads/10023' },
  rating: { kind: 'rating', params: { is: 'rated', name: NAME, value: 'good', ad: AD }, url: '/users/10007#ratings' },
  report_outcome: { kind: 'report_outcome', params: { is: 'adRemoved' }, url: null },
  decision: {
    kind: 'decision',
    params: {
      is: 'suspended',
      until: '2026-11-30T12:00:00Z',
      reason: 'duplicate',
      note: 'You posted the same ad seven times.',
    },
    url: '/decisions#10004',
  },
  notice: { kind: 'notice', params: { is: 'addressRefused', address: 'dana@example.com' }, url: null },
});

/** What the mail of this kind is about, with ids that exist nowhere. */
export const sampleNotification = (kind: NotificationKind): MailedNotification => {
  const sample = listSamples()[kind];
  return {
    notificationId: '10001',
    user_id: '0',
    user_created_at: '2026-11-23T10:00:00Z',
    created_at: '2026-11-23T10:00:00Z',
    is_banned: false,
    ...sample,
    ...toEnglish(sample),
  };
};
