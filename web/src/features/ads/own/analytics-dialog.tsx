import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import { getLocale, t } from '../../../../../contract/i18n.ts';
import type { Me } from '../../../../../contract/user.ts';
import { listUserAds, type UserStats } from '../../../../../contract/users.ts';
import { useInfiniteApiQuery } from '../../../api/query.ts';
import { formatTimeAgo } from '../../../lib/format.ts';
import { Badge } from '../../../ui/card.tsx';
import { SkeletonRegion } from '../../../ui/feedback.tsx';
import { Bar, Figure } from '../../../ui/figure.tsx';
import { Dialog } from '../../../ui/lazy-overlays.tsx';
import { Query, type QueryState } from '../../../ui/query.tsx';
import { AdViewsByDay } from './ad-views-by-day.tsx';

const RECENT = 3;

const toEngagement = ({ activeAds, totalViews }: Omit<UserStats, 'topAds'>): string =>
  (totalViews === 0 ? 0 : activeAds / totalViews).toLocaleString(getLocale(), {
    style: 'percent',
    maximumFractionDigits: 1,
  });

const withoutTwins = (ads: Ad[]): Ad[] => [...new Map(ads.map((ad) => [ad.id, ad])).values()];

interface AnalyticsDialogProps {
  me: Me;
  stats: QueryState<UserStats>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const AnalyticsDialog = ({ me, stats, open, onOpenChange }: AnalyticsDialogProps) => {
  const list = useInfiniteApiQuery(listUserAds, open ? { params: { id: me.id } } : null);
  const states = {
    failure: t('analytics.failed'),
    loading: <SkeletonRegion className="grid gap-3" boxes={['h-20', 'h-40']} />,
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('analytics.title')}
      description={t('analytics.text')}
      className="sm:max-w-xl"
    >
      <Query of={stats} {...states}>
        {({ topAds, ...figures }) => (
          <Query of={list} {...states}>
            {(ads) => (
              <>
                <dl
                  className="grid gap-3"
                  style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(5rem, 100%), 1fr))' }}
                >
                  <StatTile term={t('analytics.totalViews')} figure={<Figure value={figures.totalViews} />} />
                  <StatTile term={t('analytics.activeAds')} figure={<Figure value={figures.activeAds} />} />
                  <StatTile term={t('analytics.engagementRate')} figure={toEngagement(figures)} />
                </dl>
                <AdViewsByDay ads={withoutTwins([...topAds, ...ads])} list={list} />
                <TopAds ads={topAds} />
                <RecentAds ads={ads.slice(0, RECENT)} />
              </>
            )}
          </Query>
        )}
      </Query>
    </Dialog>
  );
};

const StatTile = ({ term, figure }: { term: string; figure: ReactNode }) => (
  <div className="flex flex-col justify-between rounded-control bg-muted p-3 max-sm:px-2">
    <dt className="text-xs text-muted-foreground">{term}</dt>
    <dd className="text-lg font-semibold whitespace-nowrap tabular-nums sm:text-xl">{figure}</dd>
  </div>
);

const TopAds = ({ ads }: { ads: Ad[] }) => {
  const most = Math.max(1, ...ads.map((ad) => ad.views));
  return (
    <section>
      <h3 className="font-semibold">{t('analytics.topAds')}</h3>
      {ads.length === 0 ? <p className="mt-1 text-muted-foreground">{t('analytics.noAds')}</p> : null}
      <ol className="mt-2 grid gap-3">
        {ads.map((ad) => (
          <li key={ad.id} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-3 text-sm">
              <Link to={`/ads/${ad.id}`} dir="auto" className="truncate hover:underline">
                {ad.title}
              </Link>
              <span className="shrink-0 text-muted-foreground tabular-nums">
                {t('analytics.viewCount', { count: ad.views })}
              </span>
            </p>
            <Bar percent={(ad.views / most) * 100} />
          </li>
        ))}
      </ol>
    </section>
  );
};

const RecentAds = ({ ads }: { ads: Ad[] }) => (
  <section>
    <h3 className="font-semibold">{t('analytics.recentActivity')}</h3>
    {ads.length === 0 ? <p className="mt-1 text-muted-foreground">{t('analytics.noAds')}</p> : null}
    <ul className="mt-2 grid gap-2">
      {ads.map((ad) => (
        <li key={ad.id} className="flex flex-wrap items-center gap-x-3 text-sm">
          <Link to={`/ads/${ad.id}`} dir="auto" className="min-w-[min(8rem,100%)] flex-1 truncate hover:underline">
            {ad.title}
          </Link>
          <span className="shrink-0 text-muted-foreground">{formatTimeAgo(ad.createdAt)}</span>
          <Badge variant={ad.isActive ? 'success' : 'neutral'}>
            {ad.isActive ? t('states.active') : t('states.inactive')}
          </Badge>
        </li>
      ))}
    </ul>
  </section>
);
