import type { Ad } from '../../../../contract/ads.ts';
import { Badge } from '../../ui/badge.tsx';

const WHY = { pending: 'Pending review', expired: 'Expired', inactive: null, active: null } as const;

/** Active or Inactive, and why not. */
export const AdStatus = ({ ad }: { ad: Ad }) => {
  const why = ad.state ? WHY[ad.state] : null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge variant={ad.isActive ? 'success' : 'neutral'}>{ad.isActive ? 'Active' : 'Inactive'}</Badge>
      {why ? <Badge variant="warning">{why}</Badge> : null}
      {ad.isSold ? <Badge variant="strong">Sold</Badge> : null}
    </span>
  );
};
