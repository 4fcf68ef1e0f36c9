import type { CaseAction, CaseTargetType } from '../../../contract/reports.ts';
import type { Trx } from '../../db/pools.ts';
import { type Actor, getUserId } from '../../policy.ts';
import type { News } from '../notifications/news.ts';
import { insertNotification, insertNotifications } from '../notifications/repository.ts';
import { type CaseRow, closeReports, lockOpenCase, markDecided, markReportsDismissed } from './case-repository.ts';
import { type DecisionRow, type DecisionValues, insertDecision, markEnded } from './decision-repository.ts';

/** Leads to the card of the decision. */
const toUrl = ({ id }: Pick<DecisionRow, 'id'>): string => `/decisions#decision-${id}`;

export type NewDecision = Pick<DecisionValues, 'person_id' | 'target_type' | 'target_id' | 'action' | 'reason'> &
  Partial<Omit<DecisionValues, 'decided_by'>>;

/** What the person concerned reads; undefined for what does not concern them. */
const toNews = ({ action, target_type, title, reason, note, until, restore }: DecisionRow): News | undefined => {
  const why = { reason, note };
  switch (action) {
    case 'hold':
      return { kind: 'ad_held', params: { is: 'held', title } };
    case 'remove':
      if (target_type === 'rating') return { kind: 'decision', params: { is: 'ratingRemoved', title, ...why } };
      return restore?.state === 'pending'
        ? { kind: 'ad_rejected', params: { is: 'rejected', title, ...why } }
        : { kind: 'decision', params: { is: 'adRemoved', title, ...why } };
    case 'warn':
      return { kind: 'decision', params: { is: 'warned', ...why } };
    case 'suspend':
      return { kind: 'decision', params: { is: 'suspended', until: until!, ...why } };
    case 'ban':
      return { kind: 'decision', params: { is: 'banned', ...why } };
    default:
      return undefined;
  }
};

/**
 * Records a decision and notifies the person concerned. It takes no effect by itself: takeDecision does both. `case_id` is the
 * case that it ends, if there is one.
 */
export const recordDecision = async (trx: Trx, actor: Actor, decision: NewDecision): Promise<DecisionRow> => {
  const row = await insertDecision(trx, {
    case_id: null,
    title: null,
    note: null,
    days: null,
    restore: null,
    ...decision,
    decided_by: getUserId(actor),
  });
  const news = toNews(row);
  if (news) await insertNotification(trx, { userId: row.person_id, url: toUrl(row), ...news });
  return row;
};

const toOutcome = (action: CaseAction, target: CaseTargetType) => {
  if (action === 'dismiss') return 'dismissed';
  return action === 'remove' && target === 'ad' ? 'adRemoved' : 'acted';
};

/** Closes a case and its reports after its decision is recorded, and tells the reporters the outcome. */
export const closeCase = async (
  trx: Trx,
  { id, target_type }: Pick<CaseRow, 'id' | 'target_type'>,
  action: CaseAction,
): Promise<void> => {
  await markDecided(trx, id);
  const reporters = await closeReports(trx, id, action === 'dismiss' ? 'dismissed' : 'upheld');
  const is = toOutcome(action, target_type);
  await insertNotifications(
    trx,
    reporters.map((userId) => ({ userId, kind: 'report_outcome', params: { is } })),
  );
};

/** What an appeal was about: a decision about the account, or what a hold or a removal took. */
const toSubject = ({ action, target_type }: DecisionRow) => {
  if (action === 'suspend' || action === 'ban' || action === 'warn') return action;
  return target_type === 'rating' ? 'rating' : 'ad';
};

/** Tells the appellant how their appeal ended. */
export const closeAppeal = async (
  trx: Trx,
  caseId: string,
  contested: DecisionRow,
  isReversed: boolean,
): Promise<void> => {
  await markDecided(trx, caseId);
  const about = toSubject(contested);
  await insertNotification(trx, {
    userId: contested.person_id,
    kind: 'decision',
    params: {
      is: isReversed ? 'reversed' : 'confirmed',
      about,
      title: about === 'ad' || about === 'rating' ? contested.title : null,
    },
    url: toUrl(contested),
  });
};

/**
 * Takes a decision out of effect because it is reversed or because another one follows. An open appeal about it is decided
 * accordingly.
 */
export const endDecision = async (
  trx: Trx,
  actor: Actor,
  decision: DecisionRow,
  isReversed: boolean,
): Promise<void> => {
  const { id, case_id, person_id, action, reason } = decision;
  await markEnded(trx, id, isReversed);
  if (isReversed && case_id !== null && action !== 'hold') await markReportsDismissed(trx, case_id);
  const appeal = await lockOpenCase(trx, 'decision', id);
  if (appeal === undefined) return;
  await recordDecision(trx, actor, {
    case_id: appeal.id,
    person_id,
    target_type: 'decision',
    target_id: id,
    action: isReversed ? 'reverse' : 'uphold',
    reason,
  });
  await closeAppeal(trx, appeal.id, decision, isReversed);
};
