import { getLocale, type TextKey, type TextValues, t } from '../contract/i18n.ts';

/** What the text of an error names: also a day, a moment, a time to wait and another text, each in the language of the reader. */
export type ErrorValue = string | number | { day: Date } | { time: Date } | { seconds: number } | ErrorPhrase;
export type ErrorValues = Readonly<Record<string, ErrorValue>>;

/** The text of an error, which is said once the language of the reader is known. */
export interface ErrorPhrase {
  key: TextKey;
  values?: ErrorValues | undefined;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Rounded up: "in 23 minutes", "in 3 hours", "in 2 days". */
const formatWait = (seconds: number): string => {
  const [size, unit] =
    seconds <= HOUR - MINUTE
      ? ([MINUTE, 'minute'] as const)
      : seconds < 2 * DAY
        ? ([HOUR, 'hour'] as const)
        : ([DAY, 'day'] as const);
  return new Intl.RelativeTimeFormat(getLocale()).format(Math.max(1, Math.ceil(seconds / size)), unit);
};

const formatDate = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeZone: 'UTC', ...options }).format(date);

const sayValue = (value: ErrorValue): string | number => {
  if (typeof value !== 'object') return value;
  if ('key' in value) return say(value);
  if ('seconds' in value) return formatWait(value.seconds);
  return 'day' in value ? formatDate(value.day, {}) : formatDate(value.time, { timeStyle: 'short' });
};

/** The text in the language that is spoken now. */
export const say = ({ key, values = {} }: ErrorPhrase): string =>
  t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sayValue(value)])));

const toParam = (value: ErrorValue): string | number | undefined => {
  if (typeof value !== 'object') return value;
  if ('key' in value) return undefined;
  if ('seconds' in value) return value.seconds;
  return 'day' in value ? value.day.toISOString().slice(0, 10) : value.time.toISOString();
};

/** What a text names, for programs: days and times in ISO, waits in seconds, also of the texts in it. Undefined if it names nothing. */
export const toParams = ({ values = {} }: ErrorPhrase): TextValues | undefined => {
  const params = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'object' && 'key' in value) return Object.entries(toParams(value) ?? {});
    const param = toParam(value);
    return param === undefined ? [] : [[name, param]];
  });
  return params.length > 0 ? Object.fromEntries(params) : undefined;
};
