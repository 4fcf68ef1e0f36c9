import { CircleDollarSign, Info, Megaphone, Tag, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AdminStats } from '../../../../contract/admin.ts';
import { formatPrice } from '../../../../contract/format-price.ts';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format-count.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

interface StatCardsProps {
  stats: AdminStats | undefined;
  failed: boolean;
  onRetry: () => void;
}

/** Users, ads, active ads and revenue at a glance. */
export const StatCards = ({ stats, failed, onRetry }: StatCardsProps) => {
  if (failed) return <Failure title="Failed to load statistics" onRetry={onRetry} />;
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" aria-busy={stats ? undefined : true}>
      <StatCard
        icon={<Users aria-hidden="true" />}
        label="Total Users"
        value={stats && formatCount(stats.totalUsers)}
        note={stats && `${formatCount(stats.todaySignups)} new today`}
      />
      <StatCard
        icon={<Tag aria-hidden="true" />}
        label="Total Ads"
        value={stats && formatCount(stats.totalAds)}
        note={stats && `${formatCount(stats.todayAds)} new today`}
      />
      <StatCard
        icon={<Megaphone aria-hidden="true" />}
        label="Active Ads"
        value={stats && formatCount(stats.activeAds)}
        note={stats && `${formatCount(stats.pendingAds)} pending review`}
      />
      <StatCard
        icon={<CircleDollarSign aria-hidden="true" />}
        label="Revenue"
        hint="Sum of the prices of ads marked sold this month. The marketplace takes no fee."
        value={stats && formatPrice(stats.revenue)}
        note="This month"
      />
    </div>
  );
};

interface StatCardProps {
  icon: ReactNode;
  label: string;
  value: string | undefined;
  note: string | undefined;
  hint?: string;
}

const StatCard = ({ icon, label, value, note, hint }: StatCardProps) => (
  <Card className="grid content-start gap-1">
    <p className="flex items-center gap-2 text-sm text-muted-foreground [&_svg]:size-4">
      {icon} {label}
      {hint ? (
        <Tooltip text={hint}>
          <button type="button" aria-label={hint} className="-m-2 ml-auto p-2">
            <Info aria-hidden="true" />
          </button>
        </Tooltip>
      ) : null}
    </p>
    {value === undefined ? (
      <Skeleton className="h-9 w-24" />
    ) : (
      <p className={cn('text-2xl font-semibold tabular-nums sm:text-3xl', value.length > 8 && 'max-sm:text-lg/8')}>
        {value}
      </p>
    )}
    {note === undefined ? <Skeleton className="h-4 w-20" /> : <p className="text-sm text-muted-foreground">{note}</p>}
  </Card>
);
