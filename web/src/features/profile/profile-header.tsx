import { CircleCheck, Eye, Heart, type LucideIcon, Megaphone } from 'lucide-react';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { formatDate, pluralize } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState, Skeleton } from '../../ui/feedback.tsx';
import { Figure } from '../../ui/figure.tsx';
import { SellerBadges } from '../ads/seller-badges.tsx';

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

interface UserStatCardsProps {
  stats: UserStats | undefined;
  failed: boolean;
  onRetry: () => void;
}

const CARDS: [label: string, icon: LucideIcon, pick: (stats: UserStats) => number][] = [
  ['Total Views', Eye, (stats) => stats.totalViews],
  ['Active Ads', Megaphone, (stats) => stats.activeAds],
  ['Items Sold', CircleCheck, (stats) => stats.soldAds],
  ['Liked Ads', Heart, (stats) => stats.likedAds],
];

export const UserStatCards = ({ stats, failed, onRetry }: UserStatCardsProps) => {
  if (failed) return <ErrorState title="Failed to load your statistics" onRetry={onRetry} />;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" aria-busy={stats ? undefined : true}>
      {CARDS.map(([label, Icon, pick]) => (
        <Card key={label} className="grid gap-1">
          <dt className="flex items-center gap-2 text-sm text-muted-foreground">
            <Icon aria-hidden="true" className="size-4" /> {label}
          </dt>
          <dd className="text-2xl font-semibold sm:text-3xl">
            {stats ? <Figure value={pick(stats)} /> : <Skeleton className="h-9 w-20" />}
          </dd>
        </Card>
      ))}
    </dl>
  );
};
