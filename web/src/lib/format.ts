import { getLocale, t } from '../../../contract/i18n.ts';

/** Creates the value at first use, for each language: an Intl format takes milliseconds to create. */
const lazyValue = <T>(make: (locale: string) => T): (() => T) => {
  const made: Record<string, T> = {};
  return () => {
    const locale = getLocale();
    made[locale] ??= make(locale);
    return made[locale];
  };
};

const SHORTEN_FROM = 100_000;
const whole = lazyValue((locale) => new Intl.NumberFormat(locale));

export const formatCount = (count: number): string => whole().format(count);

const short = lazyValue((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));

/** 1234 → "1,234", 5638243 → "5.6M". For places where a long number does not fit. */
export const formatShortCount = (count: number): string =>
  count < SHORTEN_FROM ? formatCount(count) : short().format(count);

export const formatOf = (options: Intl.DateTimeFormatOptions) =>
  lazyValue((locale) => new Intl.DateTimeFormat(locale, options));
// 'UTC' is for server rendering, where the reader's time zone is unknown.
const formatsOf = (options: Intl.DateTimeFormatOptions) => ({
  local: formatOf(options),
  UTC: formatOf({ ...options, timeZone: 'UTC' }),
});
// Only the narrow style of Japanese has no space in "3分前". The narrow one of other languages is too short for a sentence.
const relative = lazyValue(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: locale === 'ja' ? 'narrow' : 'long' }),
);
const day = formatsOf({ year: 'numeric', month: 'short', day: 'numeric' });

/** The number of a date in the reader's time zone: consecutive days differ by one, also where the clocks change. */
const toDayNumber = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;

export const countDaysSince = (then: Date, now: Date): number => toDayNumber(now) - toDayNumber(then);

/** "just now", "5 minutes ago", "3 hours ago" (today), "yesterday", "6 days ago", then the date. Days are calendar days. */
export const formatTimeAgo = (iso: string, now = Date.now()): string => {
  const then = new Date(iso);
  const minutes = Math.floor((now - then.getTime()) / 60_000);
  if (minutes < 1) return t('shell.justNow');
  if (minutes < 60) return relative().format(-minutes, 'minute');
  const days = countDaysSince(then, new Date(now));
  if (days === 0) return relative().format(-Math.floor(minutes / 60), 'hour');
  return days < 7 ? relative().format(-days, 'day') : formatDate(iso);
};

/** "just now", "5 min ago", "3 h ago", "6 d ago", then the date: for cards. */
export const formatAge = (iso: string, now = Date.now()): string => {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return t('shell.justNow');
  if (minutes < 60) return t('shell.minutesAgo', { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('shell.hoursAgo', { count: hours });
  return hours < 7 * 24 ? t('shell.daysAgo', { count: Math.floor(hours / 24) }) : formatDate(iso);
};

/** "Nov 21, 2026" */
export const formatDate = (iso: string, timeZone: 'local' | 'UTC' = 'local'): string =>
  day[timeZone]().format(new Date(iso));

const dayOfYear = formatsOf({ month: 'long', day: 'numeric' });

/** "December 2": a day of the next weeks. */
export const formatNearDate = (iso: string, timeZone: 'local' | 'UTC' = 'local'): string =>
  dayOfYear[timeZone]().format(new Date(iso));

/** "Today", "Yesterday", then the date. */
export const formatRecentDate = (iso: string, timeZone: 'local' | 'UTC'): string => {
  const days = timeZone === 'local' ? countDaysSince(new Date(iso), new Date()) : -1;
  return days === 0 ? t('shell.today') : days === 1 ? t('shell.yesterday') : formatDate(iso, timeZone);
};

const dayAndTime = formatOf({ dateStyle: 'medium', timeStyle: 'short' });

/** "Nov 21, 2026, 4:05 PM" */
export const formatDateTime = (iso: string): string => dayAndTime().format(new Date(iso));

/** "87", or "1,000+" if the server stopped counting. */
export const formatTotal = (total: number, exact: boolean): string => `${formatCount(total)}${exact ? '' : '+'}`;

/** "5", or "99+": a count on an icon. */
export const formatBadge = (count: number): string => (count > 99 ? '99+' : String(count));
