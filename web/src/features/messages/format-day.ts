import { t } from '../../../../contract/i18n.ts';
import { countDaysSince, formatOf } from '../../lib/format.ts';

const weekday = formatOf({ weekday: 'long', month: 'long', day: 'numeric' });
const weekdayAndYear = formatOf({ dateStyle: 'full' });

/** "Today", "Yesterday", "Saturday, November 21", or with the year if it is another: separates days of a conversation. */
export const formatDay = (iso: string, now = Date.now()): string => {
  const [then, today] = [new Date(iso), new Date(now)];
  const days = countDaysSince(then, today);
  if (days === 0) return t('shell.today');
  if (days === 1) return t('shell.yesterday');
  return (then.getFullYear() === today.getFullYear() ? weekday() : weekdayAndYear()).format(then);
};
