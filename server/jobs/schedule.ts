import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { JobName } from './queue.ts';

/** Minute, hour, day, month, weekday (UTC). However many replicas there are, one of them runs each. */
const CRONTAB = {
  'sweep-x-posts': '* * * * *',
  'fold-counters': '* * * * *',
  // an index holds what is due: a minute with nothing to do costs a millisecond
  'expire-ads': '* * * * *',
  'clean-up': '17 * * * *',
  'count-search-words': '7 4 * * *',
  'collect-images': '37 * * * *',
} as const satisfies Partial<Record<JobName, string>>;

/** Jobs that run by the clock; an operator may run them at any time. */
export const PERIODIC_JOBS = Object.keys(CRONTAB) as (keyof typeof CRONTAB)[];

export const cronItems = (): ParsedCronItem[] =>
  parseCronItems(
    Object.entries(CRONTAB).map(([task, match]) => ({ task, match, options: { jobKey: task, maxAttempts: 1 } })),
  );
