import { type AdminStats, getAdminStats } from '../../../../contract/admin.ts';
import { pluralize } from '../../../../contract/plural.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatCount } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Bar } from '../../ui/figure.tsx';
import { Query } from '../../ui/query.tsx';
import { DailyFigures } from './daily-figures.tsx';

export const AnalyticsTab = () => (
  <div className="grid gap-8">
    <Overview />
    <DailyFigures />
  </div>
);

const Overview = () => {
  const query = useApiQuery(getAdminStats, {}, { keepPreviousData: true });
  return (
    <Query
      of={query}
      failure="Failed to load statistics"
      loading={<SkeletonRegion className="grid grid-cols-1 gap-4 lg:grid-cols-2" boxes={['h-64', 'h-64']} />}
    >
      {(stats) => (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          <Card>
            <h2 className="card-heading">Platform overview</h2>
            <dl className="mt-4 grid gap-3">
              <StatRow term="Daily active users" value={formatCount(stats.dailyActiveUsers)} />
              <StatRow term="Average session duration" value={stats.avgSessionDuration} />
              <StatRow term="Bounce rate" value={`${stats.bounceRate}%`} />
              <StatRow term="Conversion rate" value={`${stats.conversionRate}%`} />
              <StatRow term="New users today" value={formatCount(stats.todaySignups)} />
              <StatRow term="New ads today" value={formatCount(stats.todayAds)} />
            </dl>
            <p className="mt-4 text-sm text-muted-foreground">
              Visits are counted without cookies. Conversion: viewed ads that got a conversation within 30 days.
            </p>
          </Card>
          <Card>
            <h2 className="card-heading">Category performance</h2>
            <TopCategories categories={stats.topCategories} />
          </Card>
        </div>
      )}
    </Query>
  );
};

const StatRow = ({ term, value }: { term: string; value: string }) => (
  <div className="flex items-baseline justify-between gap-4 border-b border-border pb-3 last:border-0 last:pb-0">
    <dt className="text-muted-foreground">{term}</dt>
    <dd className="font-semibold whitespace-nowrap tabular-nums">{value}</dd>
  </div>
);

const TopCategories = ({ categories }: { categories: AdminStats['topCategories'] }) => {
  if (categories.length === 0) return <p className="mt-4 text-muted-foreground">No active ads yet.</p>;
  return (
    <ol className="mt-4 grid gap-4">
      {categories.map(({ category, count, percentage }) => (
        <li key={category} className="grid gap-1.5">
          <p className="flex justify-between gap-4">
            <span className="font-medium">{category}</span>
            <span className="text-sm text-muted-foreground tabular-nums">
              {pluralize(count, 'ad')} · {percentage}%
            </span>
          </p>
          <Bar percent={percentage} />
        </li>
      ))}
    </ol>
  );
};
