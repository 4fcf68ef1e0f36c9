import { Plus } from 'lucide-react';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { getSiteStats } from '../../../contract/stats.ts';
import { useApiQuery } from '../api/query.ts';
import { useGoToPostAd } from '../features/auth/sign-in.tsx';
import { ListPage } from '../features/list/list-page.tsx';
import { formatCount } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Query } from '../ui/query.tsx';

export const HomePage = () => (
  <ListPage>
    <Hero />
  </ListPage>
);

const Hero = () => {
  const postAd = useGoToPostAd();
  return (
    <div className="border-b border-border bg-surface">
      <div className="container-page flex flex-col gap-5 py-6 sm:py-8 md:flex-row md:items-end md:justify-between">
        <div className="grid gap-2">
          <h1 className="page-heading">Buy and sell with people on X</h1>
          <p className="text-muted-foreground md:text-lg">
            The marketplace for X users. Look up every seller before you meet.
          </p>
          <Button className="mt-2 sm:hidden" size="lg" onClick={postAd}>
            <Plus />
            Post an Ad
          </Button>
        </div>
        <StatsStrip />
      </div>
    </div>
  );
};

export const StatsStrip = () => {
  const query = useApiQuery(getSiteStats, {});
  return (
    <Query of={query} failure="Failed to load the figures" size="line" loading={toFigures()}>
      {toFigures}
    </Query>
  );
};

const toFigures = (stats?: ReplyOf<typeof getSiteStats>) => {
  const figures = [
    { label: 'Active Ads', value: stats?.activeAds },
    { label: 'Happy Users', value: stats?.users },
    { label: 'Categories', value: stats?.categories },
  ];
  return (
    <dl className="grid grid-cols-3 gap-4 sm:flex sm:gap-10">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-xs text-muted-foreground sm:text-sm">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums sm:text-2xl">
            {value === undefined ? '–' : formatCount(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
};
