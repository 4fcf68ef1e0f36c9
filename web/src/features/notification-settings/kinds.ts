import type { TextKey } from '../../../../contract/i18n.ts';
import type { NotificationKind } from '../../../../contract/notifications.ts';

interface KindTexts {
  group: TextKey;
  label: TextKey;
  hint?: TextKey;
}

/** What each kind of notification is about, as Notification Settings and the unsubscribe page call it, in order. */
export const KIND_TEXTS: Readonly<Record<NotificationKind, KindTexts>> = {
  message: { group: 'notifications.groupMessages', label: 'notifications.kindMessage' },
  search_match: {
    group: 'notifications.groupBuying',
    label: 'notifications.kindSearchMatch',
    hint: 'notifications.kindSearchMatchHint',
  },
  offer: { group: 'notifications.groupBuying', label: 'notifications.kindOffer' },
  reservation: { group: 'notifications.groupBuying', label: 'notifications.kindReservation' },
  deal: { group: 'notifications.groupBuying', label: 'notifications.kindDeal' },
  rating: { group: 'notifications.groupAccount', label: 'notifications.kindRating' },
  price_drop: { group: 'notifications.groupBuying', label: 'notifications.kindPriceDrop' },
  seller_new_ad: { group: 'notifications.groupBuying', label: 'notifications.kindSellerNewAd' },
  ad_expiring: { group: 'notifications.groupSelling', label: 'notifications.kindAdExpiring' },
  ad_expired: { group: 'notifications.groupSelling', label: 'notifications.kindAdExpired' },
  ad_approved: { group: 'notifications.groupSelling', label: 'notifications.kindAdApproved' },
  ad_rejected: { group: 'notifications.groupSelling', label: 'notifications.kindAdRejected' },
  ad_held: { group: 'notifications.groupSelling', label: 'notifications.kindAdHeld' },
  decision: { group: 'notifications.groupAccount', label: 'notifications.kindDecision' },
  report_outcome: { group: 'notifications.groupAccount', label: 'notifications.kindReportOutcome' },
  notice: { group: 'notifications.groupAccount', label: 'notifications.kindNotice' },
};
