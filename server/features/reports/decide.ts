import type { BodyOf } from '../../../contract/endpoint.ts';
import type { TextKey } from '../../../contract/i18n.ts';
import type { decideCase as api, CaseAction, CaseTargetType } from '../../../contract/reports.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import { AppError, conflict, forbidden, insufficientScope, invalid, notFound } from '../../errors.ts';
import { type Actor, isLastAdmin, isProgram, isSelf } from '../../policy.ts';
import { lockAdForUpdate } from '../ads/repository.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { findRating, lockRating, type RatingDetails } from '../ratings/repository.ts';
import { lockActiveStaff } from '../users/active-actor.ts';
import { findUser, lockUserAndAdmins, lockUsers } from '../users/repository.ts';
import { type CaseDetails, findCase, lockCase } from './case-repository.ts';
import {
  clearContent,
  type DecisionRow,
  findAdDecision,
  findAppeal,
  findDecision,
  lockDecision,
} from './decision-repository.ts';
import { closeAppeal, closeCase, recordDecision } from './decisions.ts';
import { endHold, undoDecision } from './give-back.ts';
import { type CaseSituation, listActions, type TakingAction } from './rules.ts';
import { readSituation } from './situation.ts';
import { readContent } from './snapshot.ts';
import { takeDecision } from './take-decision.ts';

export type DecisionInput = BodyOf<typeof api>;

/** What a decision is about, with every row locked: users, then the ad or the rating, then the case. */
interface LockedCase {
  row: CaseDetails;
  person: UserRow;
  ad: AdRow | undefined;
  rating: RatingDetails | undefined;
  /** The decision that an appeal is about. */
  contested: DecisionRow | undefined;
}

const OPERATOR: ErrorPhrase = { key: 'errors.decider_operator' };
const DELETED: ErrorPhrase = { key: 'errors.decider_deleted' };

/** What was decided. */
const toPhrase = ({ action, target_type: target }: CaseDetails): ErrorPhrase => {
  if (action === 'remove') return { key: target === 'rating' ? 'errors.did_remove_rating' : 'errors.did_remove_ad' };
  return { key: `errors.did_${action ?? 'dismiss'}` };
};

const TARGET_GONE: Record<CaseTargetType, TextKey> = {
  ad: 'errors.targetGone_ad',
  user: 'errors.targetGone_user',
  message: 'errors.targetGone_message',
  rating: 'errors.targetGone_rating',
  decision: 'errors.decisionOver',
};

/** `ratedId`: the person whose figure the decision may change. */
const lockPeople = async (
  trx: Trx,
  actor: Actor,
  { personId, ratedId, action }: { personId: string; ratedId: string | undefined; action: CaseAction },
): Promise<UserRow> => {
  // only the operator acts on administrators; one of them must stay
  if (action !== 'ban' && !(action === 'suspend' && actor.kind === 'operator')) {
    const others = [actor.kind === 'user' ? actor.id : undefined, ratedId].filter((other) => other !== undefined);
    const users = await lockUsers(trx, [personId, ...others]);
    return users.find((user) => user.id === personId)!;
  }
  const { user, admins } = await lockUserAndAdmins(trx, personId, actor);
  if (isLastAdmin(personId, admins)) throw new AppError('last_admin');
  return user!;
};

const lockEverything = async (trx: Trx, actor: Actor, id: string, action: CaseAction): Promise<LockedCase> => {
  const found = await findCase(trx, id);
  if (found === undefined) throw notFound('errors.caseNotFound');
  const appeal = found.target_type === 'decision' ? await findAppeal(trx, { case_id: id }) : undefined;
  const target = appeal ? await findDecision(trx, appeal.decision_id) : found;
  const ratingId = target?.target_type === 'rating' ? target.target_id : undefined;
  const ratedId = ratingId && (await findRating(trx, ratingId))?.rated_id;
  const person = await lockPeople(trx, actor, { personId: found.person_id, ratedId, action });
  await lockActiveStaff(trx, actor);
  const ad = target?.target_type === 'ad' ? await lockAdForUpdate(trx, target.target_id) : undefined;
  const rating = ratingId === undefined ? undefined : await lockRating(trx, ratingId);
  await lockCase(trx, id);
  const contested = appeal && (await lockDecision(trx, appeal.decision_id));
  // the row as it is after all locks were taken
  return { row: (await findCase(trx, id))!, person, ad, rating, contested };
};

/** The reason why the actor may not take this action, as an error. */
const refuse = (actor: Actor, row: CaseDetails, action: CaseAction, situation: CaseSituation): AppError => {
  // before what names the decider, whom the person concerned never learns
  if (isSelf(actor, row.person_id)) return forbidden('errors.decideSelf');
  if (situation.isDecided) {
    const name = row.decided_by === null ? OPERATOR : (row.decider_name ?? DELETED);
    return conflict('errors.decidedAlready', { name, action: toPhrase(row) });
  }
  if (!situation.mayAct) return forbidden('errors.operatorOnly');
  if (situation.isOwnDecision) return forbidden('errors.otherDecides');
  if ((situation.isBanAppeal || action === 'ban') && isProgram(actor)) return insufficientScope();
  if (situation.isBanAppeal && !situation.mayBan) return forbidden('errors.adminsDecideBan');
  if (action === 'ban' && !situation.mayBan) return forbidden('errors.adminsBan');
  const isAppeal = row.target_type === 'decision';
  if (isAppeal !== (action === 'uphold' || action === 'reverse'))
    return invalid({ action: isAppeal ? 'errors.upholdOrReverse' : 'errors.noAppeal' });
  if (action === 'remove')
    return situation.isTargetGone
      ? conflict(TARGET_GONE[row.target_type])
      : invalid({ action: 'errors.onlyAdsAndRatings' });
  return conflict('errors.personGone');
};

/**
 * Decides a case: its effect, the reports, the audit entry and the notifications in one transaction. @throws {AppError}
 * not_found, forbidden, conflict (decided already: the message names who decided what), last_admin
 */
export const decideCase = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  input: DecisionInput,
  { requestId, reason: why }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { action, reason, days } = input;
    const note = input.note || undefined;
    const locked = await lockEverything(trx, actor, id, action);
    const { row, person, ad, rating, contested } = locked;
    const current = await withRole(trx, actor);
    const situation = await readSituation(trx, current, row, contested);
    if (!listActions(situation).includes(action)) throw refuse(current, row, action, situation);
    if (input.version !== undefined) await expectVersion(trx, locked, input.version);
    const details = { case: id, action, for: reason, days, note, userId: person.id, reason: why };
    const audit = { action: 'report.decide', target: [row.target_type, row.target_id], details, requestId } as const;
    if (action === 'dismiss' || action === 'uphold' || action === 'reverse') {
      await ANSWERS[action](trx, current, locked, { reason, note });
      await recordAudit(trx, actor, audit);
      return;
    }
    const subject = { personId: person.id, target: audit.target, ad, rating, openCase: row };
    await takeDecision(trx, current, subject, { action, reason, note, days }, audit);
  });

/** Refuses a decision about an ad that was edited after the actor had read it. @throws {AppError} conflict */
const expectVersion = async (trx: Trx, { ad }: LockedCase, version: string): Promise<void> => {
  const isKnown =
    ad === undefined || ad.state === 'deleted' || (await readContent(trx, ad)).toString('hex') === version;
  if (!isKnown) throw conflict('errors.adEditedCase');
};

/** The actor with the role that the locked row has. */
const withRole = async (trx: Trx, actor: Actor): Promise<Actor> =>
  actor.kind === 'user' ? { ...actor, role: (await findUser(trx, actor.id))!.role } : actor;

/** Decisions that take nothing: they end a case, or give back what an earlier decision took. */
type AnswerAction = Exclude<CaseAction, TakingAction>;
type Words = Pick<DecisionInput, 'reason' | 'note'>;

/** Records the decision that ends the case, and closes the case. */
const finish = async (
  trx: Trx,
  actor: Actor,
  { row, ad, rating, contested }: LockedCase,
  { action, reason, note }: Words & { action: AnswerAction },
): Promise<void> => {
  await recordDecision(trx, actor, {
    case_id: row.id,
    person_id: row.person_id,
    target_type: row.target_type,
    target_id: row.target_id,
    title: ad?.title || rating?.ad_title || null,
    action,
    reason,
    note: note ?? null,
  });
  if (contested) await closeAppeal(trx, row.id, contested, action === 'reverse');
  else await closeCase(trx, row, action);
};

type Answer = (trx: Trx, actor: Actor, locked: LockedCase, words: Words) => Promise<void>;

const dismiss: Answer = async (trx, actor, locked, words) => {
  const { ad, person, row } = locked;
  await finish(trx, actor, locked, { ...words, action: 'dismiss' });
  if (ad === undefined || ad.state === 'deleted') return;
  if (row.reported.content) await clearContent(trx, ad.id, Buffer.from(row.reported.content, 'hex'));
  const hold = await findAdDecision(trx, ad.id);
  if (hold?.action === 'hold') await endHold(trx, actor, ad, person, hold);
};

const ANSWERS: Record<AnswerAction, Answer> = {
  dismiss,
  uphold: (trx, actor, locked, words) => finish(trx, actor, locked, { ...words, action: 'uphold' }),
  reverse: async (trx, actor, locked, words) => {
    await finish(trx, actor, locked, { ...words, action: 'reverse' });
    await undoDecision(trx, actor, locked, locked.contested!);
  },
};
