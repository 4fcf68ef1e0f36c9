import { createHash } from 'node:crypto';
import { foldText } from '../ads/search/words/fold.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Whole seconds from `now` until `period` seconds after `time`; at least one. */
export const secondsUntil = (time: string, period: number, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(time) - now) / 1000 + period));

/** When an X account is as many days old as required; null if it is. */
export const whenOldEnough = (xAccountCreated: string, days: number, now: number): Date | null => {
  const at = Date.parse(xAccountCreated) + days * DAY * 1000;
  return at > now ? new Date(at) : null;
};

/**
 * Seconds until one more is allowed where `limit` are allowed within `period` seconds; null if it is allowed now.
 * `times` are the earlier ones of that period.
 */
export const waitFor = (times: readonly string[], limit: number, period: number, now: number): number | null => {
  if (limit === 0 || times.length < limit) return null;
  const newestFirst = times.toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return secondsUntil(newestFirst[limit - 1]!, period, now);
};

/** The numbers of a text, sorted: two ads that differ in one are about different things. */
export const listNumbers = (text: string): string => (foldText(text).match(/\d+/g) ?? []).toSorted().join(' ');

/** Texts that differ only in case and blanks have the same hash (16 bytes). */
export const hashText = (text: string): Buffer =>
  createHash('sha256').update(text.toLowerCase().replace(/\s+/gu, '')).digest().subarray(0, 16);
