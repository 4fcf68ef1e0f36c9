import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { Badge } from '../../ui/card.tsx';

const STATUSES = {
  sold: { label: 'states.sold', icon: CircleCheck, variant: 'strong' },
  reserved: { label: 'states.reserved', icon: Clock, variant: 'accent' },
  active: { label: 'states.active', icon: CircleCheck, variant: 'success' },
  pending: { label: 'states.pending', icon: Clock, variant: 'warning' },
  paused: { label: 'states.paused', icon: CirclePause, variant: 'neutral' },
  expired: { label: 'states.expired', icon: Clock, variant: 'warning' },
  inactive: { label: 'states.inactive', icon: CircleX, variant: 'neutral' },
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
