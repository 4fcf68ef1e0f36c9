import { LRUCache } from 'lru-cache';
import { getLocale, getTimeZone } from '../contract/i18n.ts';

const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const MOMENT = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Creating one takes longer than all else that is done for a notification. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

const findFormat = (timeZone: string, isMoment: boolean): Intl.DateTimeFormat => {
  const locale = getLocale();
  const key = `${locale} ${timeZone} ${isMoment}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...(isMoment ? MOMENT : DAY), timeZone });
  formats.set(key, format);
  return format;
};

/** "2026-12-31", which no time zone changes. Notifications of earlier releases have such days. */
const isDay = (time: Date | string): boolean => typeof time === 'string' && time.length === 10;

/** The day of a time, where the reader is. */
export const formatDay = (time: Date | string): string =>
  findFormat(isDay(time) ? 'UTC' : getTimeZone(), false).format(new Date(time));

/** "November 30, 2026 at 1:00 PM GMT+1". */
export const formatMoment = (time: Date | string): string => findFormat(getTimeZone(), true).format(new Date(time));
