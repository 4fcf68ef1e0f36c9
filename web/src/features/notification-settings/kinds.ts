import type { NotificationKind } from '../../../../contract/notifications.ts';

interface KindTexts {
  group: 'Messages' | 'Buying' | 'Selling' | 'Your account';
  label: string;
  hint?: string;
}

/** What each kind of notification is about, as Notification Settings and the unsubscribe page call it, in order. */
export const KIND_TEXTS: Readonly<Record<NotificationKind, KindTexts>> = {
  message: { group: 'Messages', label: 'Unread messages' },
  search_match: {
    group: 'Buying',
    label: 'New ads for saved searches',
    hint: 'Each saved search says how often.',
  },
  offer: { group: 'Buying', label: 'Responses to your offers' },
  reservation: { group: 'Buying', label: 'Reservations' },
  deal: { group: 'Buying', label: 'Sales of items you wrote about' },
  rating: { group: 'Your account', label: 'Ratings' },
  price_drop: { group: 'Buying', label: 'Lower prices of saved ads' },
  seller_new_ad: { group: 'Buying', label: 'New ads of people you follow' },
  ad_expiring: { group: 'Selling', label: 'Your ad ends soon' },
  ad_expired: { group: 'Selling', label: 'Your ad ended' },
  ad_approved: { group: 'Selling', label: 'Your ad was approved' },
  ad_rejected: { group: 'Selling', label: 'Your ad was rejected' },
  ad_held: { group: 'Selling', label: 'Your ad is on hold' },
  decision: { group: 'Your account', label: 'Decisions about your account and ads' },
  report_outcome: { group: 'Your account', label: 'Outcomes of your reports' },
  notice: { group: 'Your account', label: 'Notices from the team' },
};
