import { FIGURES, type FigureName } from '../../../contract/analytics.ts';
import type { Db } from '../../db/pools.ts';
import { COUNT, METRICS, type Metric } from './repository.ts';

const SOURCES: Record<FigureName, Metric> = {
  ...METRICS,
  reports: { table: 'reports', at: 'created_at', ...COUNT, meaning: 'reports sent' },
};

/** The longest period, and the one before it. */
const COUNTED_DAYS = 2 * 365;

// The start of a day, and the day of a moment. Both follow the clock changes of the time zone.
const startOf = (day: string): string => `((${day})::timestamp at time zone :timeZone)`;
const dayOf = (at: string): string => `((${at}) at time zone :timeZone)::date`;

const isKept = ({ keptDays }: Metric): string =>
  keptDays === null ? 'true' : `${startOf('day')} >= :now::timestamptz - interval '${keptDays} days'`;

/** Whether all events of the day are still stored. */
const IS_COUNTABLE = `case kind ${FIGURES.map((kind) => `when '${kind}' then ${isKept(SOURCES[kind])}`).join(' ')} end`;

/** A number is final if the day was counted after the end of the following day. */
const isFinal = (day: string): string => `f.counted_at >= ${startOf(`${day} + 2`)}`;

/** A moment, and the time zone whose days count. */
export interface Moment {
  /** ISO 8601. */
  now: string;
  timeZone: string;
}

/**
 * The days, newest first, of which a figure was never counted, or not since the end of the following day: today,
 * yesterday, and what no worker counted.
 */
export const listDueDays = async (db: Db, moment: Moment): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { day: string }[] }>(
    `select to_char(day, 'YYYY-MM-DD') as day
     from (select ${dayOf(':now::timestamptz')} - back as day from generate_series(0, ${COUNTED_DAYS} - 1) back) days
     where exists (
       select from unnest(:kinds::text[]) as kinds (kind) where ${IS_COUNTABLE} and not exists (
         select from daily_figures f
         where f.kind = kinds.kind and f.day = days.day and ${isFinal('days.day')}))
     order by days.day desc`,
    { ...moment, kinds: [...FIGURES] },
  );
  return rows.map(({ day }) => day);
};

const toCount = (kind: FigureName): string => {
  const { table, at, value, where } = SOURCES[kind];
  return `select '${kind}' as kind, ${dayOf(at)} as day, ${value} as value from ${table}
    where ${at} >= ${startOf(':first::date')} and ${at} < ${startOf(':last::date + 1')} ${where ? `and ${where}` : ''}
    group by 2`;
};

/**
 * Counts the figures of the days and stores them, zeros too, in one statement. Of two counts of a day the later one stays,
 * even if it is stored first; a final number stays, because what it counted may be deleted since. `days` should be close
 * together: the events between the first and the last are read.
 */
export const storeFigures = async (db: Db, days: readonly string[], moment: Moment): Promise<void> => {
  const sorted = days.toSorted();
  await db.raw(
    `insert into daily_figures as f (kind, day, value, counted_at)
     select kind, day, coalesce(counts.value, 0), :now::timestamptz
     from unnest(:kinds::text[]) as kinds (kind) cross join unnest(:days::date[]) as days (day)
     left join (${FIGURES.map(toCount).join(' union all ')}) counts using (kind, day)
     where ${IS_COUNTABLE}
     order by kind, day
     on conflict (kind, day) do update set value = excluded.value, counted_at = excluded.counted_at
       where f.counted_at <= excluded.counted_at and not (${isFinal('f.day')})`,
    { ...moment, kinds: [...FIGURES], days: [...days], first: sorted[0], last: sorted.at(-1) },
  );
};

export interface FigureRow {
  kind: FigureName;
  day: string;
  value: number;
  /** Null: the day was never counted. */
  countedAt: string | null;
}

/** The figures of the last `days` days, without gaps, by kind and day. */
export const listFigures = async (db: Db, days: number, moment: Moment): Promise<FigureRow[]> => {
  const { rows } = await db.raw<{ rows: FigureRow[] }>(
    `select kind, to_char(day, 'YYYY-MM-DD') as day, coalesce(f.value, 0)::float8 as value, f.counted_at as "countedAt"
     from unnest(:kinds::text[]) as kinds (kind) cross join
       (select ${dayOf(':now::timestamptz')} - back as day from generate_series(0, :days::int - 1) back) days
     left join daily_figures f using (kind, day) order by kind, day`,
    { ...moment, kinds: [...FIGURES], days },
  );
  return rows;
};

/** The views of an ad on each of the last `days` days, oldest first, without gaps. */
export const listViewDays = async (
  db: Db,
  adId: string,
  days: number,
  moment: Moment,
): Promise<{ day: string; value: number }[]> => {
  const { rows } = await db.raw<{ rows: { day: string; value: number }[] }>(
    `select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(v.views, 0) as value
     from (select ${dayOf(':now::timestamptz')} - back as day from generate_series(0, :days::int - 1) back) days
     left join ad_view_days v on v.day = days.day and v.ad_id = :adId order by days.day`,
    { ...moment, adId, days },
  );
  return rows;
};

/** How many people have written about an ad. */
export const countWriters = async (db: Db, adId: string): Promise<number> => {
  const { rows } = await db.raw<{ rows: { writers: number }[] }>(
    'select count(*)::int as writers from conversations where ad_id = ? and message_count > 0',
    [adId],
  );
  return rows[0]!.writers;
};
