import type { Me } from '../../../../contract/user.ts';
import { SellerBadges } from '../../features/seller/seller-badges.tsx';
import { pluralize } from '../../lib/format-count.ts';
import { formatDate } from '../../lib/format-time.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export const ProfileHeader = ({ me, totalAds }: { me: Me; totalAds: number | undefined }) => (
  <Card className="flex items-center gap-4 sm:gap-6">
    <Avatar src={me.avatar} name={me.displayName} className="size-16 text-2xl sm:size-24 sm:text-3xl" />
    <div className="min-w-0">
      <h1 className="flex items-center gap-1.5 text-2xl font-semibold sm:text-3xl">
        <bdi className="truncate">{me.displayName}</bdi>
        <SellerBadges user={me} />
      </h1>
      {me.username ? <p className="text-muted-foreground">@{me.username}</p> : null}
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {me.xAccountCreated ? (
          <div className="flex flex-wrap gap-x-1.5">
            <dt className="text-muted-foreground">X account created</dt>
            <dd>{formatDate(me.xAccountCreated)}</dd>
          </div>
        ) : null}
        <div className="flex flex-wrap gap-x-1.5">
          <dt className="text-muted-foreground">Total Ads</dt>
          <dd>{totalAds === undefined ? <Skeleton className="mt-0.5 h-4 w-10" /> : pluralize(totalAds, 'ad')}</dd>
        </div>
      </dl>
    </div>
  </Card>
);
