import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { Badge } from '../../ui/card.tsx';

const STATUSES = {
  sold: { label: 'ad.status_sold', icon: CircleCheck, variant: 'strong' },
  reserved: { label: 'ad.status_reserved', icon: Clock, variant: 'accent' },
  active: { label: 'ad.status_active', icon: CircleCheck, variant: 'success' },
  pending: { label: 'ad.status_pending', icon: Clock, variant: 'warning' },
  paused: { label: 'ad.status_paused', icon: CirclePause, variant: 'neutral' },
  expired: { label: 'ad.status_expired', icon: Clock, variant: 'warning' },
  inactive: { label: 'ad.status_inactive', icon: CircleX, variant: 'neutral' },
} as const;

/** The status of an ad. Only the owner and administrators receive `state`, the reason for being inactive; others that it is paused. */
export const StatusBadge = ({ ad }: { ad: Pick<Ad, 'isSold' | 'isReserved' | 'isActive' | 'state'> }) => {
  const status = ad.isSold
    ? 'sold'
    : ad.isActive
      ? ad.isReserved
        ? 'reserved'
        : 'active'
      : ad.state === 'active'
        ? 'inactive'
        : (ad.state ?? 'inactive');
  const { label, icon: Icon, variant } = STATUSES[status];
  return (
    <Badge variant={variant}>
      <Icon />
      {t(label)}
    </Badge>
  );
};
