import type { AdState } from '../../../../../contract/ads.ts';
import { labels, type TextKey, t } from '../../../../../contract/i18n.ts';
import type { Case, CaseSummary, CaseTarget } from '../../../../../contract/reports.ts';

export const TARGETS = labels<Case['targetType']>({
  ad: 'moderation.target_ad',
  user: 'moderation.target_user',
  message: 'moderation.target_message',
  rating: 'moderation.target_rating',
  decision: 'moderation.target_decision',
});

type CaseDecision = NonNullable<CaseSummary['decision']>;
type Action = CaseDecision['action'];

/** A decision as the form offers it. `key` selects it; keys are unique among the actions of one case. */
interface Choice {
  label: TextKey;
  key: string;
  action: Action;
  days?: 1 | 7 | 30;
}

export const CHOICES = {
  dismiss: { label: 'moderation.choice_dismiss', key: 'd', action: 'dismiss' },
  remove: { label: 'moderation.choice_remove', key: 'r', action: 'remove' },
  warn: { label: 'moderation.choice_warn', key: 'w', action: 'warn' },
  suspend1: { label: 'moderation.choice_suspend', key: '1', action: 'suspend', days: 1 },
  suspend7: { label: 'moderation.choice_suspend', key: '7', action: 'suspend', days: 7 },
  suspend30: { label: 'moderation.choice_suspend', key: '3', action: 'suspend', days: 30 },
  ban: { label: 'moderation.choice_ban', key: 'b', action: 'ban' },
  uphold: { label: 'moderation.choice_uphold', key: 'u', action: 'uphold' },
  reverse: { label: 'moderation.choice_reverse', key: 'r', action: 'reverse' },
} satisfies Record<string, Choice>;
export type ChoiceName = keyof typeof CHOICES;
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** A decision about a case, or the decision that an appeal contests. */
export type AnyDecision = CaseDecision | NonNullable<Case['appeal']>['contested'];

export const toChoiceLabel = (name: ChoiceName, target: Case['targetType']): string => {
  if (name === 'remove' && target === 'rating') return t('moderation.choice_removeRating');
  const choice: Choice = CHOICES[name];
  return t(choice.label, choice.days && { count: choice.days });
};

/** `target`: what the decision is about. */
export const toActionText = (
  { action, days }: Pick<AnyDecision, 'action' | 'days'>,
  target: Case['targetType'],
): string => {
  if (action === 'suspend') return t('moderation.did_suspend', { count: days ?? 0 });
  if (action !== 'remove') return DECIDED[action];
  return target === 'rating' ? t('moderation.did_removeRating') : t('moderation.did_removeAd');
};

const DECIDED = labels<Exclude<AnyDecision['action'], 'suspend' | 'remove'>>({
  hold: 'moderation.did_hold',
  dismiss: 'moderation.did_dismiss',
  warn: 'moderation.did_warn',
  ban: 'moderation.did_ban',
  uphold: 'moderation.did_uphold',
  reverse: 'moderation.did_reverse',
});

export const toDeciderText = (decision: AnyDecision): string =>
  'isAutomatic' in decision && decision.isAutomatic
    ? t('moderation.automatic')
    : (decision.decidedBy?.displayName ?? t('moderation.operator'));

const STATES = labels<AdState | 'removed'>({
  active: 'states.active',
  paused: 'states.paused',
  pending: 'moderation.pending',
  inactive: 'states.inactive',
  expired: 'states.expired',
  removed: 'moderation.stateRemoved',
});

export const toStateText = (state: CaseTarget['state']): string | null =>
  state && (STATES[state as keyof typeof STATES] ?? state);

/** "2 reports · weight 1.5" */
export const toReportsText = ({ reportCount, weight }: Pick<CaseSummary, 'reportCount' | 'weight'>): string =>
  t('moderation.reportsAndWeight', { reports: t('moderation.countReports', { count: reportCount }), weight });
