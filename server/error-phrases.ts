import { ENGLISH_TEXTS, getLocale, speaking, type TextKey, type TextValues, t } from '../contract/i18n.ts';
import { formatDay, formatMoment } from './times.ts';

/**
 * What the text of an error names: also a day, a moment, a time to wait, a number with its decimals ("9.50") and another text, each
 * in the language of the reader. A stored one has its dates in ISO.
 */
export type ErrorValue =
  | string
  | number
  | { day: Date | string }
  | { time: Date | string }
  | { seconds: number }
  | { decimal: string }
  | ErrorPhrase;
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

const formatDecimal = (number: string): string => {
  const decimals = number.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(getLocale(), { minimumFractionDigits: decimals }).format(Number(number));
};

const sayValue = (value: ErrorValue): string | number => {
  if (typeof value !== 'object') return value;
  if ('key' in value) return say(value);
  if ('seconds' in value) return formatWait(value.seconds);
  if ('decimal' in value) return formatDecimal(value.decimal);
  return 'day' in value ? formatDay(value.day) : formatMoment(value.time);
};

/** The text in the language that is spoken now. */
export const say = ({ key, values = {} }: ErrorPhrase): string =>
  t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sayValue(value)])));

/** For logs, `marketctl` and what is stored beside a phrase. */
export const toEnglish = (phrase: ErrorPhrase): string => speaking(ENGLISH_TEXTS, () => say(phrase));

/**
 * What is stored as English words and, since there are phrases, as one: in the language that is spoken now. In the stored words if
 * there is no phrase, or this release has no such text.
 */
export const sayStored = (words: string, phrase: unknown): string => {
  if (!phrase) return words;
  const said = say(phrase as ErrorPhrase);
  return said === (phrase as ErrorPhrase).key ? words : said;
};

const toParam = (value: ErrorValue): string | number | undefined => {
  if (typeof value !== 'object') return value;
  if ('key' in value) return undefined;
  if ('seconds' in value) return value.seconds;
  if ('decimal' in value) return value.decimal;
  return 'day' in value ? new Date(value.day).toISOString().slice(0, 10) : new Date(value.time).toISOString();
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
