import { REPORT_REASONS, type ReportReason } from '../../../contract/reports.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { conflict, forbidden } from '../../errors.ts';
import { type Actor, mayActOn, operator } from '../../policy.ts';
import { hashContent } from '../ads/columns.ts';
import { announceReviewed, judge } from '../ads/moderation.ts';
import { holdAd, listAdImages, restoreAdState, setAdState } from '../ads/repository.ts';
import { recordAudit } from '../audit/repository.ts';
import { insertNotification } from '../notifications/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { findUser } from '../users/repository.ts';
import { type CaseRow, lockOpenCase } from './case-repository.ts';
import { type AdRestore, clearContent, type DecisionRow, findAdDecision, isCleared } from './decision-repository.ts';
import { closeCase, endDecision, recordDecision } from './decisions.ts';
import { shouldHold } from './rules.ts';

// All functions require that the ad is locked (lockAdForUpdate), so that one decision about it follows another.

/** Names the content of the ad as it is now. */
export const readContent = async (trx: Trx, ad: AdRow): Promise<Buffer> =>
  hashContent(ad, await listAdImages(trx, ad.id));

const toRestore = ({ state, state_reason, is_approved, taken_down }: AdRow, content: Buffer): AdRestore => ({
  state: state as AdRestore['state'],
  stateReason: state_reason,
  isApproved: is_approved,
  isTakenDown: taken_down,
  content: content.toString('hex'),
});

const toTarget = (ad: AdRow) => ({
  person_id: ad.user_id,
  target_type: 'ad' as const,
  target_id: ad.id,
  title: ad.title,
});

/** Holds the ad if the weight of its open reports requires that. Returns whether it did. */
export const holdIfReported = async (
  trx: Trx,
  ad: AdRow,
  report: { caseId: string; weight: number; reason: ReportReason },
): Promise<boolean> => {
  const { reportHoldWeight: limit } = await readSettings(trx);
  const content = await readContent(trx, ad);
  const isKnown = await isCleared(trx, ad.id, content);
  if (!shouldHold(ad, { weight: report.weight, limit, isCleared: isKnown })) return false;
  await holdAd(trx, ad.id);
  const restore = toRestore(ad, content);
  const { caseId, reason } = report;
  await recordDecision(trx, undefined, { ...toTarget(ad), case_id: caseId, action: 'hold', reason, restore });
  const details = { case: caseId, weight: report.weight, limit };
  await recordAudit(trx, operator('automatic'), { action: 'ad.hold', target: ['ad', ad.id], details });
  return true;
};

/**
 * Takes the ad down by a decision that its owner may appeal, and closes the open case about it. A hold or an earlier removal
 * ends; a reversal then restores what was before that. `isDeleted`: the caller deletes the ad next. @throws {AppError}
 * conflict (the owner appeals an earlier removal)
 */
export const removeAd = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  { reason, note, isDeleted = false }: { reason: ReportReason; note: string | null; isDeleted?: boolean },
): Promise<void> => {
  const before = await findAdDecision(trx, ad.id);
  // another removal, or the deletion, would end the appeal of the first, perhaps by the same person
  const endsAppeal = before?.action === 'remove' && (await lockOpenCase(trx, 'decision', before.id)) !== undefined;
  if (endsAppeal && !(isDeleted && actor.kind === 'operator'))
    throw conflict('The owner appeals an earlier removal of this ad. Decide about the appeal first.');
  const content = await readContent(trx, ad);
  const restore = before?.restore ? { ...before.restore, content: content.toString('hex') } : toRestore(ad, content);
  const openCase = await lockOpenCase(trx, 'ad', ad.id);
  if (before) await endDecision(trx, actor, before, false);
  await setAdState(trx, ad, {
    status: 'inactive',
    reason: note ?? (reason === 'other' ? null : REPORT_REASONS[reason]),
    days: null,
  });
  await recordDecision(trx, actor, {
    ...toTarget(ad),
    case_id: openCase?.id ?? null,
    action: 'remove',
    reason,
    note,
    restore,
  });
  if (openCase) await closeCase(trx, openCase, 'remove');
};

/**
 * Gives the ad back exactly what a hold or a removal took. If its owner changed the content since, moderation judges that
 * like every edit.
 */
export const restoreAd = async (trx: Trx, ad: AdRow, owner: UserRow, { restore }: DecisionRow): Promise<void> => {
  if (restore === null) return;
  const { state, stateReason, isApproved, isTakenDown } = restore;
  const isChanged = (await readContent(trx, ad)).toString('hex') !== restore.content;
  const mustWait =
    isChanged &&
    (state === 'active' || state === 'expired') &&
    (await judge(trx, await readSettings(trx), owner, ad)) === 'pending';
  await restoreAdState(
    trx,
    ad.id,
    mustWait
      ? { state: 'pending', state_reason: null, is_approved: false, taken_down: false }
      : { state, state_reason: stateReason, is_approved: isApproved, taken_down: isTakenDown },
  );
  await announceReviewed(trx, ad.id);
};

/** Ends a hold because staff found no violation: the ad is back, and its owner knows. */
export const endHold = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  owner: UserRow,
  decision: DecisionRow,
): Promise<void> => {
  await restoreAd(trx, ad, owner, decision);
  await clearContent(trx, ad.id, Buffer.from(decision.restore!.content, 'hex'));
  await endDecision(trx, actor, decision, true);
  await notifyOwner(trx, ad, 'is public again', 'We checked it and found no violation of our rules.');
};

const notifyOwner = (trx: Trx, ad: AdRow, what: string, body: string): Promise<void> =>
  insertNotification(trx, {
    userId: ad.user_id,
    kind: 'ad_approved',
    title: `Your ad “${ad.title}” ${what}`,
    body,
    url: `/ads/${ad.id}`,
  });

/**
 * Approves or activates the ad for `days` (null: forever). The same content is never held again. A held ad gets its old
 * state back, and the case about it is dismissed.
 */
export const approveAd = async (trx: Trx, actor: Actor, ad: AdRow, days: number | null): Promise<void> => {
  const owner = (await findUser(trx, ad.user_id))!;
  const decision = await findAdDecision(trx, ad.id);
  const content = await readContent(trx, ad);
  await clearContent(trx, ad.id, content);
  await announceReviewed(trx, ad.id);
  if (decision?.action === 'hold') {
    if (!mayActOn(actor, owner)) throw forbidden('Only the operator can act on a person of this role.');
    await approveHeldAd(trx, actor, ad, decision, days);
    return;
  }
  await setAdState(trx, ad, { status: 'active', reason: null, days });
  // the removal was right about other content
  if (decision) await endDecision(trx, actor, decision, decision.restore?.content === content.toString('hex'));
  if (ad.state === 'pending') await notifyOwner(trx, ad, 'is approved', 'Everyone can see it now.');
  else if (ad.state !== 'active') await notifyOwner(trx, ad, 'is public again', 'We activated it.');
};

const approveHeldAd = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  hold: DecisionRow,
  days: number | null,
): Promise<void> => {
  const openCase = await lockOpenCase(trx, 'ad', ad.id);
  const isTimely = ad.is_sold || ad.expires_at === null || Date.parse(ad.expires_at) > getNow(trx).valueOf();
  // a held ad that was public keeps its expiry, an expired one gets a new one
  const isOn = hold.restore!.state === 'active' && isTimely;
  await setAdState(
    trx,
    { ...ad, state: isOn ? 'active' : 'expired', listed: isOn },
    { status: 'active', reason: null, days },
  );
  await endDecision(trx, actor, hold, true);
  await notifyOwner(trx, ad, 'is public again', 'We checked it and found no violation of our rules.');
  if (openCase) await dismissCase(trx, actor, ad, openCase, hold);
};

/** Closes the case whose reports held the ad, because staff found no violation. */
export const dismissCase = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  openCase: CaseRow,
  { reason }: DecisionRow,
): Promise<void> => {
  await recordDecision(trx, actor, { ...toTarget(ad), case_id: openCase.id, action: 'dismiss', reason });
  await closeCase(trx, openCase, 'dismiss');
};
