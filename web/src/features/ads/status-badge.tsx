import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { Badge } from '../../ui/badge.tsx';

/** Sold if sold; otherwise Active or Inactive; to those who may know it, also what an inactive ad waits for. */
export const StatusBadge = ({ ad }: { ad: Pick<Ad, 'isSold' | 'isActive' | 'state'> }) => {
  if (ad.isSold)
    return (
      <Badge variant="strong">
        <CircleCheck aria-hidden="true" />
        Sold
      </Badge>
    );
  if (ad.isActive)
    return (
      <Badge variant="success">
        <CircleCheck aria-hidden="true" />
        Active
      </Badge>
    );
  if (ad.state === 'pending')
    return (
      <Badge variant="warning">
        <Clock aria-hidden="true" />
        Pending review
      </Badge>
    );
  if (ad.state === 'expired')
    return (
      <Badge variant="warning">
        <CirclePause aria-hidden="true" />
        Expired
      </Badge>
    );
  return (
    <Badge>
      <CircleX aria-hidden="true" />
      Inactive
    </Badge>
  );
};
