import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type DayValue, PERIODS, type Period } from '../../../../contract/analytics.ts';
import { t } from '../../../../contract/i18n.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/feedback.tsx';

const NoChart = () => <p className="text-sm text-muted-foreground">{t('analytics.notLoaded')}</p>;

/** The chart library is one chunk, which loads with the first chart. */
const DayChart = lazyWithRetry(
  () => import('./day-chart.tsx').then((module) => module.DayChart),
  NoChart,
  <Skeleton className="h-44" />,
);

interface TableColumn {
  title: string;
  days: readonly DayValue[];
  format?: (value: number) => string;
}

interface FigureChartProps {
  title: string;
  heading?: 'h3' | 'h4';
  /** The first one is drawn; the table has all of them. Their days are the same. */
  columns: readonly [TableColumn, ...TableColumn[]];
  total: ReactNode;
  note?: ReactNode;
  /** Shown instead of a chart of zeros. */
  empty: string;
}

/** The numbers of days as a chart or, on demand, as a table. */
export const FigureChart = ({ title, heading: Heading = 'h3', columns, total, note, empty }: FigureChartProps) => {
  const [isTable, setTable] = useState(false);
  const [{ days, format = formatCount }] = columns;
  const toggle = isTable ? t('analytics.showChart') : t('analytics.showTable');
  const isEmpty = columns.every((column) => column.days.every(({ value }) => value === 0));
  return (
    <div className="grid content-start gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div>
          <Heading className="text-sm text-muted-foreground">{title}</Heading>
          <p className="text-2xl font-semibold tabular-nums">{total}</p>
        </div>
        {isEmpty ? null : (
          <Button
            variant="ghost"
            size="sm"
            aria-label={isTable ? t('analytics.showChartOf', { title }) : t('analytics.showTableOf', { title })}
            className="-mt-1 -me-3"
            onClick={() => setTable(!isTable)}
          >
            {isTable ? <ChartColumn /> : <Table2 />}
            {toggle}
          </Button>
        )}
      </div>
      {note ? <p className="text-sm text-muted-foreground">{note}</p> : null}
      {isEmpty ? (
        <p className="flex h-44 items-center justify-center rounded-control bg-muted p-4 text-center text-muted-foreground">
          {empty}
        </p>
      ) : isTable ? (
        <DayTable title={title} columns={columns} />
      ) : (
        <DayChart days={days} format={format} label={toLabel(title, days, format)} />
      )}
    </div>
  );
};

const toLabel = (title: string, days: readonly DayValue[], format: (value: number) => string): string => {
  const most = days.reduce((best, day) => (day.value > best.value ? day : best));
  return t('analytics.chartOf', { title, most: format(most.value), date: formatDate(most.day, 'UTC') });
};

const DayTable = ({ title, columns }: Pick<FigureChartProps, 'title' | 'columns'>) => (
  // A region that scrolls must be reachable by keyboard.
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div
    role="group"
    aria-label={t('analytics.byDay', { title })}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    tabIndex={0}
    className="h-44 overflow-auto rounded-control border border-border"
  >
    <table className="w-full border-collapse text-start text-sm">
      <caption className="sr-only">{t('analytics.byDayNewestFirst', { title })}</caption>
      <thead className="sticky top-0 bg-card">
        <tr className="border-b border-border text-muted-foreground">
          <th scope="col" className="px-3 py-2 text-start font-medium">
            {t('analytics.day')}
          </th>
          {columns.map((column) => (
            <th key={column.title} scope="col" className="px-3 py-2 text-end font-medium">
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns[0].days
          .map(({ day }, index) => (
            <tr key={day} className="border-b border-border last:border-0">
              <th scope="row" className="px-3 py-1.5 text-start font-normal whitespace-nowrap">
                {formatDate(day, 'UTC')}
              </th>
              {columns.map(({ title, days, format = formatCount }) => (
                <td key={title} className="px-3 py-1.5 text-end tabular-nums">
                  {format(days[index]?.value ?? 0)}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  </div>
);

interface PeriodSwitchProps {
  period: Period;
  onChange: (period: Period) => void;
}

export const PeriodSwitch = ({ period, onChange }: PeriodSwitchProps) => (
  <fieldset className="grid grid-cols-2 gap-1 rounded-control bg-muted p-1">
    <legend className="sr-only">{t('analytics.period')}</legend>
    {PERIODS.map((value) => (
      <button
        key={value}
        type="button"
        aria-pressed={period === value}
        onClick={() => onChange(value)}
        className="min-h-11 rounded-lg px-3 text-sm font-medium aria-pressed:bg-card aria-pressed:shadow-raised md:min-h-9"
      >
        {t('analytics.days', { count: value })}
      </button>
    ))}
  </fieldset>
);
