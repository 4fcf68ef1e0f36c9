import { ENGLISH_LOCALE } from '../../../contract/languages.ts';
import { REPORT_REASONS } from '../../../contract/report-reasons.ts';
import type { CaseAction, CaseTargetType } from '../../../contract/reports.ts';
import type { Trx } from '../../db/pools.ts';
import { type Actor, getUserId } from '../../policy.ts';
import { insertNotification, insertNotifications, type NewNotification } from '../notifications/repository.ts';
import { type CaseRow, closeReports, lockOpenCase, markDecided, markReportsDismissed } from './case-repository.ts';
import { type DecisionRow, type DecisionValues, insertDecision, markEnded } from './decision-repository.ts';

/** Leads to the card of the decision. */
const toUrl = ({ id }: Pick<DecisionRow, 'id'>): string => `/decisions#decision-${id}`;

export type NewDecision = Pick<DecisionValues, 'person_id' | 'target_type' | 'target_id' | 'action' | 'reason'> &
  Partial<Omit<DecisionValues, 'decided_by'>>;

const dateFormat = new Intl.DateTimeFormat(ENGLISH_LOCALE, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** What a hold or a removal takes, in the words of the person concerned. */
const toName = ({ target_type, title }: Pick<DecisionRow, 'target_type' | 'title'>): string => {
  const name = target_type === 'rating' ? 'your rating of the deal' : 'your ad';
  return title === null ? name : `${name} “${title}”`;
};

/** What the person concerned reads; undefined for what does not concern them. */
const toNotification = (decision: DecisionRow): Omit<NewNotification, 'userId'> | undefined => {
  const { action, title, reason, note, until, restore } = decision;
  const body = [`Reason: ${REPORT_REASONS[reason]}.`, note].filter(Boolean).join(' ');
  const subject = toName(decision);
  const isRejected = restore?.state === 'pending';
  switch (action) {
    case 'hold':
      return {
        kind: 'ad_held',
        title: title === null ? 'Your ad waits for review' : `Your ad “${title}” waits for review`,
        body: 'People reported it. It is hidden until we have checked it.',
      };
    case 'remove':
      return isRejected
        ? { kind: 'ad_rejected', title: `We did not approve ${subject}`, body }
        : { kind: 'decision', title: `We removed ${subject}`, body };
    case 'warn':
      return { kind: 'decision', title: 'You received a warning', body };
    case 'suspend':
      return {
        kind: 'decision',
        title: `Your account is suspended until ${dateFormat.format(new Date(until!))} UTC`,
        body,
      };
    case 'ban':
      return { kind: 'decision', title: 'Your account is banned', body };
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
  const notification = toNotification(row);
  if (notification) await insertNotification(trx, { userId: row.person_id, url: toUrl(row), ...notification });
  return row;
};

const toOutcome = (action: CaseAction, target: CaseTargetType): string => {
  if (action === 'dismiss') return 'We found no violation of our rules.';
  return action === 'remove' && target === 'ad'
    ? 'We removed the ad you reported.'
    : 'We took action on what you reported.';
};

/** Closes a case and its reports after its decision is recorded, and tells the reporters the outcome. */
export const closeCase = async (
  trx: Trx,
  { id, target_type }: Pick<CaseRow, 'id' | 'target_type'>,
  action: CaseAction,
): Promise<void> => {
  await markDecided(trx, id);
  const reporters = await closeReports(trx, id, action === 'dismiss' ? 'dismissed' : 'upheld');
  const title = toOutcome(action, target_type);
  await insertNotifications(
    trx,
    reporters.map((userId) => ({ userId, kind: 'report_outcome', title })),
  );
};

const toSubject = (decision: DecisionRow): string => {
  const { action } = decision;
  if (action === 'suspend') return 'to suspend your account';
  if (action === 'ban') return 'to ban your account';
  if (action === 'warn') return 'to warn you';
  return `about ${toName(decision)}`;
};

/** Tells the appellant how their appeal ended. */
export const closeAppeal = async (
  trx: Trx,
  caseId: string,
  contested: DecisionRow,
  isReversed: boolean,
): Promise<void> => {
  await markDecided(trx, caseId);
  const subject = toSubject(contested);
  await insertNotification(trx, {
    userId: contested.person_id,
    kind: 'decision',
    title: `We ${isReversed ? 'reversed' : 'confirmed'} our decision ${subject}`,
    body: isReversed ? 'You appealed, and we agree with you.' : 'We checked your appeal and keep our decision.',
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
