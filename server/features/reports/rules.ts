import { LIMITS } from '../../../contract/limits.ts';
import {
  APPEAL_ACTIONS,
  CASE_ACTIONS,
  type CaseAction,
  type CaseTargetType,
  CONTESTED_ACTIONS,
  type Decision,
  type DecisionAction,
} from '../../../contract/reports.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import { mayHappen } from '../ads/moderation-states.ts';

/** Decisions that take something from a person, who may appeal. */
export type TakingAction = Decision['action'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEW_HOURS = 24;
const DISMISSED_IN_A_ROW = 3;
const UPHELD_DAYS = 180;

export interface ReporterRecord {
  /** Outcomes of the reporter's decided reports, the newest first, with the time of the decision. */
  decided: readonly { outcome: 'dismissed' | 'upheld'; decided_at: string }[];
}

/** How much a report counts towards an automatic hold: 0 from staff, less from new and unreliable reporters. */
export const weighReport = (
  reporter: Pick<UserRow, 'role' | 'created_at'>,
  { decided }: ReporterRecord,
  now: number,
): number => {
  if (reporter.role !== 'user') return 0;
  if (now - Date.parse(reporter.created_at) < NEW_HOURS * HOUR_MS) return 0.25;
  const last = decided.slice(0, DISMISSED_IN_A_ROW);
  if (last.length === DISMISSED_IN_A_ROW && last.every(({ outcome }) => outcome === 'dismissed')) return 0.25;
  const isProven = decided.some(
    ({ outcome, decided_at }) => outcome === 'upheld' && now - Date.parse(decided_at) < UPHELD_DAYS * DAY_MS,
  );
  return isProven ? 2 : 1;
};

export interface WeighedReport {
  weight: number;
  /** Of the reporter's address block; null if it says nothing about people. */
  addressHash: string | null;
  /** The day on which the reporter's account was created. */
  accountDay: string;
  /** The reporter has done something else here than report. */
  isActive: boolean;
}

/** What reports with the same key have in common. */
const listTies = ({ addressHash, accountDay, isActive }: WeighedReport): string[] => [
  ...(addressHash === null ? [] : [`address ${addressHash}`]),
  ...(isActive ? [] : [`day ${accountDay}`]),
];

/**
 * How much the reports of a case weigh together. Reporters who are tied to one another, by an address block or as accounts of one
 * day that were never active otherwise, together weigh at most 1.
 */
export const weighTogether = (reports: readonly WeighedReport[]): number => {
  let groups: { ties: Set<string>; weights: number[] }[] = [];
  for (const report of reports) {
    const ties = new Set(listTies(report));
    const weights = [report.weight];
    const isTied = (group: { ties: Set<string> }) => !group.ties.isDisjointFrom(ties);
    for (const group of groups.filter(isTied)) {
      for (const tie of group.ties) ties.add(tie);
      weights.push(...group.weights);
    }
    groups = [...groups.filter((group) => group.ties.isDisjointFrom(ties)), { ties, weights }];
  }
  const sum = (weights: readonly number[]) => weights.reduce((total, weight) => total + weight, 0);
  return sum(groups.map(({ weights }) => (weights.length > 1 ? Math.min(1, sum(weights)) : sum(weights))));
};

/** `limit` is the setting reportHoldWeight; 0 switches holds off. */
export const shouldHold = (
  ad: Pick<AdRow, 'state' | 'moderation'>,
  { weight, limit, isCleared }: { weight: number; limit: number; isCleared: boolean },
): boolean => limit > 0 && weight >= limit && !isCleared && ad.state !== 'deleted' && mayHappen(ad.moderation, 'hold');

export interface CaseSituation {
  targetType: CaseTargetType;
  isDecided: boolean;
  /** The actor may act on the person concerned (policy.mayActOn). */
  mayAct: boolean;
  /** Only administrators ban, and decide about the appeal of a ban. */
  mayBan: boolean;
  /** The appeal is about a ban. */
  isBanAppeal: boolean;
  /** Another member of staff than the actor must decide this appeal. */
  isOwnDecision: boolean;
  /** The reported ad or rating was deleted, or the rating is removed already. */
  isTargetGone: boolean;
  person: Pick<UserRow, 'deleted_at' | 'banned_at'>;
}

const REMOVABLE: readonly CaseTargetType[] = ['ad', 'rating'];

/** The actions that an actor may take about a case now. */
export const listActions = (situation: CaseSituation): CaseAction[] => {
  const { targetType, isDecided, mayAct, mayBan, isBanAppeal, isOwnDecision, isTargetGone, person } = situation;
  if (isDecided || !mayAct) return [];
  if (targetType === 'decision') return isOwnDecision || (isBanAppeal && !mayBan) ? [] : [...APPEAL_ACTIONS];
  return CASE_ACTIONS.filter((action) => {
    if (action === 'dismiss') return true;
    if (action === 'remove') return REMOVABLE.includes(targetType) && !isTargetGone;
    if (person.deleted_at !== null) return false;
    return action !== 'ban' || (mayBan && person.banned_at === null);
  });
};

/** Until when a decision can be appealed. Null for a ban: as long as it lasts. */
export const appealUntil = ({ action, created_at }: { action: DecisionAction; created_at: string }): string | null =>
  action === 'ban' ? null : new Date(Date.parse(created_at) + LIMITS.appealDays * DAY_MS).toISOString();

const APPEALABLE: readonly DecisionAction[] = CONTESTED_ACTIONS;

/** Why a decision cannot be appealed; null if it can. A decision is in effect until it ends or is reversed. */
export const refuseAppeal = (
  decision: {
    action: DecisionAction;
    created_at: string;
    ended_at: string | null;
    until: string | null;
    isAppealed: boolean;
    isTargetGone: boolean;
  },
  now: number,
): ErrorPhrase | null => {
  if (!APPEALABLE.includes(decision.action)) return { key: 'errors.notAppealable' };
  if (decision.isAppealed) return { key: 'errors.appealedAlready' };
  if (decision.ended_at !== null || decision.isTargetGone) return { key: 'errors.decisionOver' };
  if (decision.until !== null && Date.parse(decision.until) <= now) return { key: 'errors.suspensionOver' };
  const until = appealUntil(decision);
  return until !== null && Date.parse(until) <= now
    ? { key: 'errors.appealDays', values: { max: LIMITS.appealDays } }
    : null;
};
