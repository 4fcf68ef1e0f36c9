import { type AdminStats, getAdminStats } from '../../../../contract/admin.ts';
import { t } from '../../../../contract/i18n.ts';
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
      failure={t('admin.statsFailed')}
      loading={<SkeletonRegion className="grid grid-cols-1 gap-4 lg:grid-cols-2" boxes={['h-64', 'h-64']} />}
    >
      {(stats) => (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          <Card>
            <h2 className="card-heading">{t('admin.overview')}</h2>
            <dl className="mt-4 grid gap-3">
              <StatRow term={t('admin.dailyActiveUsers')} value={formatCount(stats.dailyActiveUsers)} />
              <StatRow
                term={t('admin.sessionDuration')}
                value={stats.visits === 0 ? '–' : toDuration(stats.avgSessionSeconds)}
              />
              <StatRow term={t('admin.bounceRate')} value={stats.visits === 0 ? '–' : toPercent(stats.bounceRate)} />
              <StatRow term={t('admin.conversionRate')} value={toPercent(stats.conversionRate)} />
              <StatRow term={t('admin.newUsersToday')} value={formatCount(stats.todaySignups)} />
              <StatRow term={t('admin.newAdsToday')} value={formatCount(stats.todayAds)} />
            </dl>
            <p className="mt-4 text-sm text-muted-foreground">{t('admin.visitsNote')}</p>
          </Card>
          <Card>
            <h2 className="card-heading">{t('admin.categoryPerformance')}</h2>
            <TopCategories categories={stats.topCategories} />
          </Card>
        </div>
      )}
    </Query>
  );
};

const toPercent = (value: number): string => t('admin.percent', { value });

const toDuration = (seconds: number): string =>
  t('admin.minutesAndSeconds', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });

const StatRow = ({ term, value }: { term: string; value: string }) => (
  <div className="flex items-baseline justify-between gap-4 border-b border-border pb-3 last:border-0 last:pb-0">
    <dt className="text-muted-foreground">{term}</dt>
    <dd className="font-semibold whitespace-nowrap tabular-nums">{value}</dd>
  </div>
);

const TopCategories = ({ categories }: { categories: AdminStats['topCategories'] }) => {
  if (categories.length === 0) return <p className="mt-4 text-muted-foreground">{t('admin.noActiveAds')}</p>;
  return (
    <ol className="mt-4 grid gap-4">
      {categories.map(({ category, count, percentage }) => (
        <li key={category} className="grid gap-1.5">
          <p className="flex justify-between gap-4">
            <span className="font-medium">{category}</span>
            <span className="text-sm text-muted-foreground tabular-nums">
              {t('list.countAds', { count })} · {toPercent(percentage)}
            </span>
          </p>
          <Bar percent={percentage} />
        </li>
      ))}
    </ol>
  );
};
