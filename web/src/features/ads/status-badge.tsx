import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { Badge } from '../../ui/card.tsx';

const STATUSES = {
  sold: { label: 'Sold', icon: CircleCheck, variant: 'strong' },
  reserved: { label: 'Reserved', icon: Clock, variant: 'accent' },
  active: { label: 'Active', icon: CircleCheck, variant: 'success' },
  pending: { label: 'Pending review', icon: Clock, variant: 'warning' },
  paused: { label: 'Paused', icon: CirclePause, variant: 'neutral' },
  expired: { label: 'Expired', icon: Clock, variant: 'warning' },
  inactive: { label: 'Inactive', icon: CircleX, variant: 'neutral' },
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
      {label}
    </Badge>
  );
};
