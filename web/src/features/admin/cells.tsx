import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AdminUser } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import type { User } from '../../../../contract/user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { AdThumb } from '../ads/ad-card.tsx';
import { SellerBadges } from '../ads/seller-badges.tsx';

export const AdCell = ({ ad }: { ad: Ad }) => (
  <div className="flex min-w-0 items-center gap-3">
    <AdThumb ad={ad} />
    <div className="min-w-0 wrap-anywhere">
      <Link to={`/ads/${ad.id}`} className="line-clamp-1 font-medium hover:underline">
        <bdi>{ad.title}</bdi>
      </Link>
      <p dir="auto" className="line-clamp-2 text-left text-sm text-muted-foreground">
        {ad.description}
      </p>
    </div>
  </div>
);

const REASONS = { pending: 'Pending review', expired: 'Expired', inactive: null, active: null } as const;

export const AdStatus = ({ ad }: { ad: Ad }) => {
  const reason = ad.state ? REASONS[ad.state] : null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge variant={ad.isActive ? 'success' : 'neutral'}>{ad.isActive ? 'Active' : 'Inactive'}</Badge>
      {reason ? <Badge variant="warning">{reason}</Badge> : null}
      {ad.isSold ? <Badge variant="strong">Sold</Badge> : null}
    </span>
  );
};

export const UserCell = ({ user }: { user: User }) => (
  <div className="flex min-w-0 items-center gap-3">
    <Avatar src={user.avatar} name={user.displayName} />
    <div className="min-w-0">
      <p className="flex items-center gap-1 font-medium">
        <bdi className="line-clamp-1 wrap-anywhere">{user.displayName}</bdi>
        <SellerBadges user={user} />
      </p>
      <p className="truncate text-sm text-muted-foreground">{user.username ? `@${user.username}` : 'No X account'}</p>
    </div>
  </div>
);

export const RowAction = ({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) => (
  <Tooltip text={label}>
    <Button variant="ghost" size="icon" aria-label={label} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  </Tooltip>
);

export const UserStatus = ({ user }: { user: AdminUser }) => (
  <>
    {user.isBanned ? <Badge variant="warning">Banned</Badge> : <Badge variant="success">Active</Badge>}
    {user.isUpdatePending ? <span className="block text-xs text-muted-foreground">Update under way</span> : null}
  </>
);
