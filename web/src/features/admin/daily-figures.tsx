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
import { toCsvRecord } from '../../../../contract/csv.ts';
import { labels, t } from '../../../../contract/i18n.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatCount, formatTimeAgo } from '../../lib/format.ts';
import { saveCsv } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { Query, toBusyProps } from '../../ui/query.tsx';
import { FigureChart, PeriodSwitch } from '../analytics/figure-chart.tsx';

const TITLES = labels<FigureName>({
  signups: 'admin.figure_signups',
  ads: 'admin.figure_ads',
  messages: 'admin.figure_messages',
  visits: 'admin.figure_visits',
  sold: 'admin.figure_sold',
  revenue: 'admin.figure_revenue',
  reports: 'admin.figure_reports',
});
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
          {t('admin.dayByDay')}
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <PeriodSwitch period={period} onChange={setPeriod} />
          {data?.countedAt ? (
            <Button variant="outline" size="sm" onClick={() => saveFigures(data)}>
              <Download /> {t('admin.downloadCsv')}
            </Button>
          ) : null}
        </div>
      </div>
      <Query
        of={query}
        failure={t('admin.figuresFailed')}
        loading={<SkeletonRegion className={GRID} boxes={CHARTS.map(() => 'h-72')} />}
      >
        {(analytics) =>
          analytics.countedAt === null ? (
            <Card>
              <EmptyState
                icon={ChartColumn}
                title={t('admin.noFigures')}
                heading="h3"
                text={t('admin.noFiguresText')}
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
                {t('admin.figuresNote', { zone: analytics.timeZone, time: formatTimeAgo(analytics.countedAt) })}
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
      empty={t('admin.noneInDays', { count: series.days.length })}
    />
  );
};

const compare = ({ days, total, previousTotal }: FigureSeries): string => {
  if (!previousTotal) return t('admin.nothingEarlier');
  const percent = Math.round((total / previousTotal - 1) * 100);
  return t('admin.compared', {
    percent: `${percent > 0 ? '+' : ''}${formatCount(percent)}`,
    previous: previousTotal,
    count: days.length,
  });
};

const toRecord = (cells: readonly (string | number | undefined)[]): string =>
  toCsvRecord(cells.map((cell) => String(cell ?? '')));

const toCsv = ({ figures }: Analytics): string => {
  const rows = figures.ads.days.map(({ day }, index) => [
    day,
    ...FIGURES.map((name) => figures[name].days[index]?.value),
  ]);
  return toCsvRecord([t('analytics.day'), ...FIGURES.map((name) => TITLES[name])]) + rows.map(toRecord).join('');
};

const saveFigures = (analytics: Analytics): void => {
  const { days } = analytics.figures.ads;
  saveCsv(`figures-${days.at(-1)?.day}-${days.length}-days.csv`, toCsv(analytics));
};
