import * as z from 'zod/mini';
import { labels } from './i18n.ts';
import { says } from './says.ts';

/** The values and their labels, best first. */
export const CONDITIONS = labels({
  new: 'list.condition_new',
  like_new: 'list.condition_like_new',
  good: 'list.condition_good',
  fair: 'list.condition_fair',
  for_parts: 'list.condition_for_parts',
});
export type Condition = keyof typeof CONDITIONS;
export const ConditionName = z.enum(
  Object.keys(CONDITIONS) as [Condition, ...Condition[]],
  says('fields.unknownCondition'),
);
