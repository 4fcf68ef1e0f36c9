import { useEffect, useState } from 'react';
import { useHydrated } from '../hooks/use-hydrated.ts';
import { formatDate, formatTimeAgo } from '../lib/format.ts';

/** The value of a `datetime` attribute, which has at most milliseconds. The server sends microseconds. */
export const toDateTime = (iso: string): string => iso.replace(/(\.\d{3})\d+/, '$1');

interface LocalDateProps {
  iso: string;
  format?: (iso: string, timeZone: 'local' | 'UTC') => string;
}

/** A date in the reader's time zone. The server does not know the time zone and renders UTC. */
export const LocalDate = ({ iso, format = formatDate }: LocalDateProps) => {
  const isHydrated = useHydrated();
  return <time dateTime={toDateTime(iso)}>{format(iso, isHydrated ? 'local' : 'UTC')}</time>;
};

const TICK_MS = 30_000;

interface TimeAgoProps {
  iso: string;
  format?: (iso: string, now: number) => string;
  className?: string;
}

/** The distance of a time from now, in the browser only: the server knows neither the time zone nor the moment. */
export const TimeAgo = ({ iso, format = formatTimeAgo, className }: TimeAgoProps) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={toDateTime(iso)} className={className}>
      {format(iso, now)}
    </time>
  );
};
