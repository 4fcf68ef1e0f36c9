import { type Analytics, FIGURES, type FigureSeries, type ViewsByDay } from '../../../contract/analytics.ts';
import type { AppContext } from '../../app-context.ts';
import {
  countWriters,
  type FigureRow,
  listDueDays,
  listFigures,
  listViewDays,
  type Moment,
  storeFigures,
} from './figures-repository.ts';

const toMoment = ({ clock, config }: AppContext): Moment => ({
  now: clock.now().toISOString(),
  timeZone: config.timeZone,
});

/**
 * Counts the figures of today and yesterday, and of the days of the last two years that no worker has counted. A statement
 * counts a month at most, the newest first. Ends early when `signal` aborts; the next run continues.
 */
export async function countDailyFigures(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const moment = toMoment(ctx);
  const months = Map.groupBy(await listDueDays(ctx.db, moment), (day) => day.slice(0, 7));
  for (const days of months.values()) {
    if (signal.aborted) return;
    await storeFigures(ctx.db, days, moment);
  }
}

const sum = (rows: readonly { value: number }[]): number =>
  Math.round(rows.reduce((total, { value }) => total + value, 0) * 100) / 100;

const toSeries = (rows: readonly FigureRow[], days: number): FigureSeries => {
  const [previous, shown] = [rows.slice(0, -days), rows.slice(-days)];
  return {
    days: shown.map(({ day, value }) => ({ day, value })),
    total: sum(shown),
    previousTotal: previous.some(({ countedAt }) => countedAt === null) ? null : sum(previous),
  };
};

/** The figures of the last `days` days, and the totals of as many days before. */
export async function readAnalytics(ctx: AppContext, days: number): Promise<Analytics> {
  const rows = await listFigures(ctx.reads, 2 * days, toMoment(ctx));
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const seriesOf = (kind: FigureRow['kind']) => [kind, toSeries(byKind.get(kind) ?? [], days)] as const;
  return {
    timeZone: ctx.config.timeZone,
    countedAt: byKind.get('ads')?.at(-1)?.countedAt ?? null,
    figures: Object.fromEntries(FIGURES.map(seriesOf)) as Analytics['figures'],
  };
}

export async function readViewsByDay(ctx: AppContext, adId: string, days: number): Promise<ViewsByDay> {
  const [viewDays, wrote] = await Promise.all([
    listViewDays(ctx.reads, adId, days, toMoment(ctx)),
    countWriters(ctx.reads, adId),
  ]);
  return { days: viewDays, total: sum(viewDays), wrote };
}
