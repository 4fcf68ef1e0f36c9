import * as z from 'zod/mini';

/** The values and their labels, best first. */
export const CONDITIONS = {
  new: 'New',
  like_new: 'Like new',
  good: 'Good',
  fair: 'Fair',
  for_parts: 'For parts',
} as const;
export type Condition = keyof typeof CONDITIONS;
export const ConditionName = z.enum(Object.keys(CONDITIONS) as [Condition, ...Condition[]], 'Unknown condition');
