import { CircleCheck, Eye, Heart, type LucideIcon, Megaphone } from 'lucide-react';
import type { UserStats } from '../../../../contract/users.ts';
import { formatCount } from '../../lib/format-count.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface StatCardsProps {
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

/** Four figures, counted by the server over all ads. */
export const StatCards = ({ stats, failed, onRetry }: StatCardsProps) => {
  if (failed) return <Failure title="Failed to load your statistics" onRetry={onRetry} />;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" aria-busy={stats ? undefined : true}>
      {CARDS.map(([label, Icon, pick]) => (
        <Card key={label} className="grid gap-1">
          <dt className="flex items-center gap-2 text-sm text-muted-foreground">
            <Icon aria-hidden="true" className="size-4" /> {label}
          </dt>
          <dd className="text-2xl font-semibold tabular-nums sm:text-3xl">
            {stats ? formatCount(pick(stats)) : <Skeleton className="h-9 w-20" />}
          </dd>
        </Card>
      ))}
    </dl>
  );
};
