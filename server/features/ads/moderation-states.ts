import type { AdRow } from '../../db/rows.ts';

/**
 * The moderation status of an ad. `pending`: waits for approval. `held`: hidden until staff decide, because of reports or because the
 * owner edited a removed ad. `removed`: staff took it down, or did not approve it.
 */
export const MODERATION_STATES = ['clear', 'pending', 'held', 'removed'] as const;
export type ModerationState = (typeof MODERATION_STATES)[number];

/** `pass` and `question`: what moderation says about a new or edited ad. */
export const MODERATION_EVENTS = ['pass', 'question', 'hold', 'remove', 'approve'] as const;
export type ModerationEvent = (typeof MODERATION_EVENTS)[number];

/** Every transition. What is absent cannot happen. Only staff end `held` and `removed`. docs/MODERATION.md draws it. */
const TRANSITIONS: Record<ModerationState, Partial<Record<ModerationEvent, ModerationState>>> = {
  clear: { pass: 'clear', question: 'pending', hold: 'held', remove: 'removed', approve: 'clear' },
  pending: { pass: 'clear', question: 'pending', remove: 'removed', approve: 'clear' },
  held: { pass: 'held', question: 'held', remove: 'removed', approve: 'clear' },
  removed: { pass: 'held', question: 'held', remove: 'removed', approve: 'clear' },
};

export const mayHappen = (from: ModerationState, event: ModerationEvent): boolean => event in TRANSITIONS[from];

/** The status after the event. @throws for what cannot happen */
export const moderate = (from: ModerationState, event: ModerationEvent): ModerationState => {
  const to = TRANSITIONS[from][event];
  if (to === undefined) throw new Error(`${event} cannot happen to an ad that is ${from}`);
  return to;
};

/** Staff or reports hide the ad: only staff give it back, and nobody deals with it. */
export const isTakenDown = ({ moderation }: Pick<AdRow, 'moderation'>): boolean =>
  moderation === 'held' || moderation === 'removed';

/** The status that the columns of earlier releases mean together, as a decision stored them. The database has the same rule. */
export const readModeration = (state: AdRow['state'], isTaken: boolean): ModerationState => {
  if (state === 'inactive') return 'removed';
  if (state !== 'pending') return 'clear';
  return isTaken ? 'held' : 'pending';
};
