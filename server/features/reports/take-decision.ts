import type { TextKey } from '../../../contract/i18n.ts';
import { REPORT_REASONS } from '../../../contract/report-reasons.ts';
import type { CaseTargetType, ReportReason } from '../../../contract/reports.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { conflict } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { ban, suspend } from '../account/removal.ts';
import { isTakenDown } from '../ads/moderation-states.ts';
import { holdAd, takeDownAd } from '../ads/repository.ts';
import { type AuditEntry, recordAudit } from '../audit/repository.ts';
import { type RatingDetails, setRemoved } from '../ratings/repository.ts';
import { insertWebhookEvents } from '../webhooks/events-repository.ts';
import { type CaseRow, lockOpenCase } from './case-repository.ts';
import { type AdRestore, type DecisionRow, findAdDecision, findBan } from './decision-repository.ts';
import { closeCase, endDecision, recordDecision } from './decisions.ts';
import type { TakingAction } from './rules.ts';
import { readContent } from './snapshot.ts';

/** What a decision is about. Its rows are locked: the person, then the ad or the rating, then the case. */
export interface Subject {
  personId: string;
  target: readonly [type: CaseTargetType, id: string];
  ad?: AdRow | undefined;
  rating?: RatingDetails | undefined;
  /** The open case about it. The decision closes it, unless it is a hold. */
  openCase?: CaseRow | undefined;
}

export interface Taking {
  action: TakingAction;
  reason: ReportReason;
  /** For the person concerned. */
  note?: string | null | undefined;
  /** Of a suspension. */
  days?: number | undefined;
  /** The caller deletes the ad next. */
  isDeletion?: boolean;
}

export const aboutAd = (ad: AdRow, openCase?: CaseRow): Subject => ({
  personId: ad.user_id,
  target: ['ad', ad.id],
  ad,
  openCase,
});

export const aboutPerson = ({ id }: Pick<UserRow, 'id'>): Subject => ({ personId: id, target: ['user', id] });

/** Applies what is taken. Returns what an ad needs to get it back. @throws {AppError} */
type Effect = (trx: Trx, actor: Actor, subject: Subject, taking: Taking) => Promise<AdRestore | null>;

const toRestore = (ad: AdRow, content: Buffer): AdRestore => ({
  state: ad.state as AdRestore['state'],
  stateReason: ad.state_reason,
  stateReasonCode: ad.state_reason_code,
  isApproved: ad.is_approved,
  isTakenDown: isTakenDown(ad),
  content: content.toString('hex'),
});

const hold: Effect = async (trx, _actor, { ad }) => {
  const restore = toRestore(ad!, await readContent(trx, ad!));
  await holdAd(trx, ad!);
  return restore;
};

/** Ends an earlier decision, which this one follows. One whose appeal is open is not ended by the way. */
const follow = async (trx: Trx, actor: Actor, before: DecisionRow | undefined, refusal: TextKey | null) => {
  if (before === undefined) return;
  const isAppealed = (await lockOpenCase(trx, 'decision', before.id)) !== undefined;
  if (refusal !== null && isAppealed) throw conflict(refusal);
  await endDecision(trx, actor, before, false);
};

/** A hold or an earlier removal ends; a reversal then restores what was before that. */
const removeAd = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  { reason, note, isDeletion }: Taking,
): Promise<AdRestore> => {
  const before = await findAdDecision(trx, ad.id);
  // another removal, or the deletion, would end the appeal of the first, perhaps by the same person
  const mayEndAppeal = before?.action !== 'remove' || (isDeletion && actor.kind === 'operator');
  const content = await readContent(trx, ad);
  const restore = before?.restore ? { ...before.restore, content: content.toString('hex') } : toRestore(ad, content);
  await follow(trx, actor, before, mayEndAppeal ? null : 'errors.ownerAppeals');
  const code = note || reason === 'other' ? null : reason;
  await takeDownAd(trx, ad, { state_reason: note || (code && REPORT_REASONS[code]), state_reason_code: code });
  return restore;
};

const EFFECTS: Record<TakingAction, Effect> = {
  hold,
  remove: async (trx, actor, { ad, rating }, taking) => {
    if (ad) return removeAd(trx, actor, ad, taking);
    await setRemoved(trx, rating!, true);
    return null;
  },
  warn: async () => null,
  suspend: async (trx, _actor, { personId }, { days }) => {
    await suspend(trx, { id: personId }, days!);
    return null;
  },
  ban: async (trx, actor, { personId }, { note }) => {
    await follow(trx, actor, await findBan(trx, personId), 'errors.personAppeals');
    await ban(trx, { id: personId }, note || null);
    await insertWebhookEvents(trx, [{ type: 'user.banned', userId: null, toSite: true, data: { userId: personId } }]);
    return null;
  },
};

/**
 * The only way to take something from a person: hides an ad or a rating, warns, suspends or bans. Applies the effect, records the
 * decision that the person reads and may appeal, notifies them, closes the case with its reports, and writes the audit entry.
 * Callers check the right and lock what it is about. @throws {AppError} conflict (an earlier decision is under appeal)
 */
export const takeDecision = async (
  trx: Trx,
  actor: Actor,
  subject: Subject,
  taking: Taking,
  audit: AuditEntry,
): Promise<void> => {
  const { personId, target, ad, rating, openCase } = subject;
  const { action, reason, note, days } = taking;
  const restore = await EFFECTS[action](trx, actor, subject, taking);
  await recordDecision(trx, actor, {
    case_id: openCase?.id ?? null,
    person_id: personId,
    target_type: target[0],
    target_id: target[1],
    title: ad?.title || rating?.ad_title || null,
    action,
    reason,
    note: note || null,
    days: days ?? null,
    restore,
  });
  if (openCase && action !== 'hold') await closeCase(trx, openCase, action);
  await recordAudit(trx, actor, audit);
};
