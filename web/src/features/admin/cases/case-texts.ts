import { pluralize } from '../../../../../contract/plural.ts';
import type { Case, CaseSummary, CaseTarget } from '../../../../../contract/reports.ts';

export const TARGETS: Record<Case['targetType'], string> = {
  ad: 'Ad',
  user: 'Person',
  message: 'Message',
  rating: 'Rating',
  decision: 'Appeal',
};

type CaseDecision = NonNullable<CaseSummary['decision']>;
type Action = CaseDecision['action'];

/** A decision as the form offers it. `key` selects it; keys are unique among the actions of one case. */
interface Choice {
  label: string;
  key: string;
  action: Action;
  days?: 1 | 7 | 30;
}

export const CHOICES = {
  dismiss: { label: 'Dismiss', key: 'd', action: 'dismiss' },
  remove: { label: 'Remove ad', key: 'r', action: 'remove' },
  warn: { label: 'Warn', key: 'w', action: 'warn' },
  suspend1: { label: 'Suspend 1 day', key: '1', action: 'suspend', days: 1 },
  suspend7: { label: 'Suspend 7 days', key: '7', action: 'suspend', days: 7 },
  suspend30: { label: 'Suspend 30 days', key: '3', action: 'suspend', days: 30 },
  ban: { label: 'Ban', key: 'b', action: 'ban' },
  uphold: { label: 'Uphold', key: 'u', action: 'uphold' },
  reverse: { label: 'Reverse', key: 'r', action: 'reverse' },
} satisfies Record<string, Choice>;
export type ChoiceName = keyof typeof CHOICES;
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** A decision about a case, or the decision that an appeal contests. */
export type AnyDecision = CaseDecision | NonNullable<Case['appeal']>['contested'];

export const toChoiceLabel = (name: ChoiceName, target: Case['targetType']): string =>
  name === 'remove' && target === 'rating' ? 'Remove rating' : CHOICES[name].label;

/** `target`: what the decision is about. */
export const toActionText = (
  { action, days }: Pick<AnyDecision, 'action' | 'days'>,
  target: Case['targetType'],
): string => {
  if (action === 'suspend') return `Suspended for ${pluralize(days ?? 0, 'day')}`;
  return action === 'remove' ? `${TARGETS[target]} removed` : DECIDED[action];
};

const DECIDED: Record<Exclude<AnyDecision['action'], 'suspend' | 'remove'>, string> = {
  hold: 'Ad held for review',
  dismiss: 'Dismissed',
  warn: 'Warned',
  ban: 'Banned',
  uphold: 'Upheld',
  reverse: 'Reversed',
};

export const toDeciderText = (decision: AnyDecision): string =>
  'isAutomatic' in decision && decision.isAutomatic
    ? 'Automatic, because of reports'
    : (decision.decidedBy?.displayName ?? 'The operator');

/** "active" → "Active" */
export const toStateText = (state: CaseTarget['state']): string | null =>
  state ? state.charAt(0).toUpperCase() + state.slice(1) : null;
