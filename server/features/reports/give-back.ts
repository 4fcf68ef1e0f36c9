import { getNow, type Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { forbidden } from '../../errors.ts';
import { type Actor, mayActOn } from '../../policy.ts';
import { moveSuspensionEnd, unban } from '../account/removal.ts';
import { announceReviewed, judge } from '../ads/moderation.ts';
import { readModeration } from '../ads/moderation-states.ts';
import { clearAd, restoreAdState } from '../ads/repository.ts';
import { insertNotification } from '../notifications/repository.ts';
import { setRemoved } from '../ratings/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { findUser } from '../users/repository.ts';
import { type CaseRow, lockOpenCase } from './case-repository.ts';
import {
  clearContent,
  type DecisionRow,
  endDecisionsAbout,
  findAdDecision,
  readSuspensionEnd,
  shortenSuspensions,
} from './decision-repository.ts';
import { closeCase, endDecision, recordDecision } from './decisions.ts';
import { readContent } from './snapshot.ts';
import type { Subject } from './take-decision.ts';

// The only ways to give back what takeDecision took. All require that the person, and the ad, are locked.

/**
 * Gives the ad back exactly what a hold or a removal took. If its owner changed the content since, moderation judges that
 * like every edit.
 */
const restoreAd = async (trx: Trx, ad: AdRow, owner: UserRow, { restore }: DecisionRow): Promise<void> => {
  if (restore === null) return;
  const { state, stateReason, stateReasonCode = null, isApproved, isTakenDown } = restore;
  const moderation = readModeration(state, isTakenDown);
  const isChanged = (await readContent(trx, ad)).toString('hex') !== restore.content;
  const mustWait =
    isChanged && moderation === 'clear' && (await judge(trx, await readSettings(trx), owner, ad)) === 'question';
  await restoreAdState(
    trx,
    ad.id,
    mustWait
      ? { moderation: 'pending', state: 'pending', state_reason: null, state_reason_code: null, is_approved: false }
      : { moderation, state, state_reason: stateReason, state_reason_code: stateReasonCode, is_approved: isApproved },
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
  await notifyOwner(trx, ad, 'cleared');
};

const notifyOwner = (trx: Trx, ad: AdRow, is: 'approved' | 'cleared' | 'activated'): Promise<void> =>
  insertNotification(trx, {
    userId: ad.user_id,
    kind: 'ad_approved',
    params: { is, ad: ad.title },
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
    if (!mayActOn(actor, owner)) throw forbidden('errors.operatorOnly');
    await approveHeldAd(trx, actor, ad, decision, days);
    return;
  }
  await clearAd(trx, ad, days);
  // the removal was right about other content
  if (decision) await endDecision(trx, actor, decision, decision.restore?.content === content.toString('hex'));
  if (ad.state === 'pending') await notifyOwner(trx, ad, 'approved');
  else if (ad.state !== 'active' && ad.state !== 'paused') await notifyOwner(trx, ad, 'activated');
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
  const isOn = ['active', 'paused'].includes(hold.restore!.state) && isTimely;
  await clearAd(trx, { ...ad, state: isOn ? 'active' : 'expired', listed: isOn }, days);
  await endDecision(trx, actor, hold, true);
  await notifyOwner(trx, ad, 'cleared');
  if (openCase) await dismissCase(trx, actor, ad, openCase, hold);
};

/** Closes the case whose reports held the ad, because staff found no violation. */
const dismissCase = async (
  trx: Trx,
  actor: Actor,
  ad: AdRow,
  openCase: CaseRow,
  { reason }: DecisionRow,
): Promise<void> => {
  await recordDecision(trx, actor, {
    case_id: openCase.id,
    person_id: ad.user_id,
    target_type: 'ad',
    target_id: ad.id,
    title: ad.title,
    action: 'dismiss',
    reason,
  });
  await closeCase(trx, openCase, 'dismiss');
};

/** A reversed suspension leaves the others in effect: the last of them says when the person is free. */
const reverseSuspension = async (trx: Trx, person: UserRow): Promise<void> => {
  await shortenSuspensions(trx, person.id);
  const end = await readSuspensionEnd(trx, person.id);
  if (person.suspended_until !== null) await moveSuspensionEnd(trx, person, end);
};

/** Gives back what a reversed decision took, if it is in effect. */
export const undoDecision = async (
  trx: Trx,
  actor: Actor,
  { person, ad, rating }: Pick<Subject, 'ad' | 'rating'> & { person: UserRow },
  contested: DecisionRow,
): Promise<void> => {
  await endDecision(trx, actor, contested, true);
  if (contested.ended_at !== null) return;
  if (contested.action === 'suspend') await reverseSuspension(trx, person);
  if (contested.action === 'ban') await unban(trx, person);
  if (rating && contested.action === 'remove') await setRemoved(trx, rating, false);
  // a warning or a suspension because of an ad took nothing from the ad
  if (ad === undefined || ad.state === 'deleted' || contested.restore === null) return;
  await restoreAd(trx, ad, person, contested);
  await clearContent(trx, ad.id, Buffer.from(contested.restore.content, 'hex'));
  const openCase = contested.action === 'hold' ? await lockOpenCase(trx, 'ad', ad.id) : undefined;
  if (openCase) await dismissCase(trx, actor, ad, openCase, contested);
};

/** Lifts a ban and ends all suspensions early. Their decisions were not wrong. */
export const liftSanctions = async (trx: Trx, person: UserRow): Promise<void> => {
  await unban(trx, person);
  await endDecisionsAbout(trx, person.id, 'ban');
  if (person.suspended_until === null) return;
  await moveSuspensionEnd(trx, person, null);
  await endDecisionsAbout(trx, person.id, 'suspend');
};
