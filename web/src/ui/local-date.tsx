import { useHydrated } from '../hooks/use-hydrated.ts';
import { formatDate } from '../lib/format.ts';

interface LocalDateProps {
  iso: string;
  format?: (iso: string, timeZone: 'local' | 'UTC') => string;
}

/** A day as it is where the reader lives; the server does not know where that is and begins with UTC's. */
export const LocalDate = ({ iso, format = formatDate }: LocalDateProps) => {
  const isHydrated = useHydrated();
  return <time dateTime={iso}>{format(iso, isHydrated ? 'local' : 'UTC')}</time>;
};
