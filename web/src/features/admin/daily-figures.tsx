import { ChartColumn, Download } from 'lucide-react';
import { useState } from 'react';
import { formatShortPrice } from '../../../../contract/amount-rules.ts';
import {
  type Analytics,
  FIGURES,
  type FigureName,
  type FigureSeries,
  getAnalytics,
  type Period,
} from '../../../../contract/analytics.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatCount, formatTimeAgo } from '../../lib/format.ts';
import { saveCsv } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { Query, toBusyProps } from '../../ui/query.tsx';
import { FigureChart, PeriodSwitch } from '../analytics/figure-chart.tsx';

const TITLES: Record<FigureName, string> = {
  signups: 'New people',
  ads: 'New ads',
  messages: 'Messages',
  visits: 'Visits',
  sold: 'Sales',
  revenue: 'Sum of sales',
  reports: 'Reports',
};
const CHARTS = ['signups', 'ads', 'messages', 'visits', 'sold', 'reports'] as const satisfies FigureName[];

const GRID = 'grid gap-4 md:grid-cols-2 xl:grid-cols-3';

/** Charts of what happened each day, with their numbers as tables and as CSV. */
export const DailyFigures = () => {
  const [period, setPeriod] = useState<Period>('30');
  const query = useApiQuery(getAnalytics, { query: { days: period } }, { keepPreviousData: true });
  const { data } = query;
  return (
    <section aria-labelledby="daily-figures" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="daily-figures" className="card-heading">
          Day by day
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <PeriodSwitch period={period} onChange={setPeriod} />
          {data?.countedAt ? (
            <Button variant="outline" size="sm" onClick={() => saveFigures(data)}>
              <Download /> Download CSV
            </Button>
          ) : null}
        </div>
      </div>
      <Query
        of={query}
        failure="Failed to load the figures"
        loading={<SkeletonRegion className={GRID} boxes={CHARTS.map(() => 'h-72')} />}
      >
        {(analytics) =>
          analytics.countedAt === null ? (
            <Card>
              <EmptyState
                icon={ChartColumn}
                title="No figures yet"
                heading="h3"
                text="The first figures are counted within a minute."
              />
            </Card>
          ) : (
            <>
              <div {...toBusyProps(query, GRID)}>
                {CHARTS.map((name) => (
                  <Card key={name}>
                    <DailyFigure name={name} figures={analytics.figures} />
                  </Card>
                ))}
              </div>
              <p className="text-sm text-muted-foreground">
                Days of the time zone {analytics.timeZone}. Counted {formatTimeAgo(analytics.countedAt)}. The figures of
                past days do not change: a sale stays counted when its ad is deleted.
              </p>
            </>
          )
        }
      </Query>
    </section>
  );
};

const DailyFigure = ({ name, figures }: { name: (typeof CHARTS)[number]; figures: Analytics['figures'] }) => {
  const series = figures[name];
  const column = { title: TITLES[name], days: series.days };
  const sum = { title: TITLES.revenue, days: figures.revenue.days, format: (price: number) => formatPrice(price) };
  const isSales = name === 'sold';
  return (
    <FigureChart
      title={TITLES[name]}
      columns={isSales ? [column, sum] : [column]}
      total={
        <>
          {formatCount(series.total)}
          {isSales ? (
            <span className="text-sm font-normal text-muted-foreground">
              {' '}
              · {formatShortPrice(figures.revenue.total)}
            </span>
          ) : null}
        </>
      }
      note={compare(series)}
      empty={`None in the last ${series.days.length} days`}
    />
  );
};

const compare = ({ days, total, previousTotal }: FigureSeries): string => {
  if (!previousTotal) return 'No earlier figures to compare with';
  const before = `${formatCount(previousTotal)} in the ${days.length} days before`;
  const percent = Math.round((total / previousTotal - 1) * 100);
  return `${percent > 0 ? '+' : ''}${formatCount(percent)}% · ${before}`;
};

/** Days and numbers only, so that no cell is a formula. */
const toCsv = ({ figures }: Analytics): string => {
  const rows = figures.ads.days.map(({ day }, index) => [
    day,
    ...FIGURES.map((name) => figures[name].days[index]?.value),
  ]);
  return [['Day', ...FIGURES.map((name) => TITLES[name])], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
};

const saveFigures = (analytics: Analytics): void => {
  const { days } = analytics.figures.ads;
  saveCsv(`figures-${days.at(-1)?.day}-${days.length}-days.csv`, toCsv(analytics));
};
