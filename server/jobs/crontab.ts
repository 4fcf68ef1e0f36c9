import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { JobName } from './queue.ts';

/** Minute, hour, day, month, weekday (UTC). However many replicas there are, one of them runs each. */
const CRONTAB: Partial<Record<JobName, string>> = {
  'sweep-x-posts': '* * * * *',
  'fold-counters': '* * * * *',
  'expire-ads': '7 * * * *',
  'clean-up': '17 * * * *',
  'count-search-words': '7 4 * * *',
  'collect-images': '37 * * * *',
};

export const cronItems = (): ParsedCronItem[] =>
  parseCronItems(
    Object.entries(CRONTAB).map(([task, match]) => ({ task, match, options: { jobKey: task, maxAttempts: 1 } })),
  );
