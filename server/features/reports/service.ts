import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { BodyOf } from '../../../contract/endpoint.ts';
import { speaking } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import type { PhotoSize } from '../../../contract/message-photos.ts';
import type { createReport as api, Case, CaseSummary, ReportReason, ReportTarget } from '../../../contract/reports.ts';
import type { AppContext } from '../../app-context.ts';
import type { Paging } from '../../db/pagination.ts';
import { type Db, getNow, type Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { addressBucket } from '../../endpoints/client-address.ts';
import { forbidden, notFound } from '../../errors.ts';
import { isPublicAddress } from '../../integrations/public-request.ts';
import { readTexts } from '../../lib/catalogs.ts';
import {
  type Actor,
  getUserId,
  isSelf,
  isStaff,
  maySeeAd,
  maySeeCase,
  maySeeProfile,
  operator,
  type UserActor,
} from '../../policy.ts';
import { findAd, lockAdForUpdate } from '../ads/repository.ts';
import { checkXAccountAge } from '../gates/gates.ts';
import { loadPrivateImage } from '../images/private-images.ts';
import { lockRating } from '../ratings/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findUser, lockUserShared } from '../users/repository.ts';
import { insertWebhookEvents } from '../webhooks/events-repository.ts';
import {
  type CaseRow,
  countOpenCases,
  findCase,
  hasOpenReport,
  haveConversation,
  listDecidedCases,
  listMessageWithContext,
  listOpenCases,
  listReports,
  listWeighedReports,
  lockOpenCase,
  openCase,
  readHistory,
  readReporterRecord,
  type Snapshot,
  setWeight,
  upsertReport,
} from './case-repository.ts';
import { type DecisionRow, findAppeal, findDecision, isCleared } from './decision-repository.ts';
import { presentAppeal, presentCaseSummary, presentReport } from './presenter.ts';
import { listActions, shouldHold, weighReport, weighTogether } from './rules.ts';
import { readSituation } from './situation.ts';
import {
  isEdited,
  presentSnapshot,
  readContent,
  readTarget,
  snapshotAd,
  snapshotMessages,
  snapshotRating,
  snapshotUser,
} from './snapshot.ts';
import { aboutAd, takeDecision } from './take-decision.ts';

type ReportInput = BodyOf<typeof api>;

interface Target {
  personId: string;
  snapshot: Snapshot;
  /** The locked row of a reported ad. */
  ad?: AdRow;
}

const lockAdTarget = async (trx: Trx, actor: UserActor, id: string): Promise<Target> => {
  const ad = await lockAdForUpdate(trx, id);
  const details = ad && (await findAd(trx, id));
  if (ad === undefined || details === undefined || !maySeeAd(actor, details)) throw notFound('errors.adNotFound');
  if (isSelf(actor, ad.user_id)) throw forbidden('errors.reportOwnAd');
  return { personId: ad.user_id, snapshot: snapshotAd(details), ad };
};

const findUserTarget = async (trx: Trx, actor: UserActor, id: string): Promise<Target> => {
  if (isSelf(actor, id)) throw forbidden('errors.reportSelf');
  // a deletion removes the name from the copies that it sees
  const user = await lockUserShared(trx, id);
  if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
  const isVisible = maySeeProfile(actor, user, getNow(trx)) || (await haveConversation(trx, actor.id, id));
  if (!isVisible) throw notFound('errors.userNotFound');
  return { personId: id, snapshot: snapshotUser(user) };
};

const findMessageTarget = async (trx: Trx, actor: UserActor, id: string): Promise<Target> => {
  const messages = await listMessageWithContext(trx, id);
  const message = messages.at(-1);
  if (message !== undefined && isSelf(actor, message.sender_id)) throw forbidden('errors.reportOwnMessage');
  if (message === undefined || !isSelf(actor, message.receiver_id)) throw notFound('errors.messageNotFound');
  return { personId: message.sender_id, snapshot: snapshotMessages(messages) };
};

const lockRatingTarget = async (trx: Trx, actor: UserActor, id: string): Promise<Target> => {
  const rating = await lockRating(trx, id);
  if (rating !== undefined && isSelf(actor, rating.rater_id)) throw forbidden('errors.reportOwnRating');
  const rated = rating?.is_public ? await findUser(trx, rating.rated_id) : undefined;
  if (rating === undefined || rated === undefined || !maySeeProfile(actor, rated, getNow(trx)))
    throw notFound('errors.ratingNotFound');
  return { personId: rating.rater_id, snapshot: snapshotRating(rating) };
};

/** Ties reports from one address block to one another. An address that is not public, such as a proxy's, says nothing. */
const hashAddress = ({ config }: AppContext, ip: string | undefined): Buffer | null =>
  ip === undefined || isIP(ip) === 0 || !isPublicAddress(ip)
    ? null
    : createHmac('sha256', config.sessionKeys[0]!)
        .update(`reporter ${addressBucket(ip)}`)
        .digest()
        .subarray(0, 16);

const FIND_TARGET = {
  ad: lockAdTarget,
  user: findUserTarget,
  message: findMessageTarget,
  rating: lockRatingTarget,
} satisfies Record<ReportTarget, unknown>;

/** Holds the ad if the weight of its open reports requires that. */
const holdIfReported = async (
  trx: Trx,
  ad: AdRow,
  openCase: CaseRow,
  report: { weight: number; reason: ReportReason },
) => {
  const { weight, reason } = report;
  const { reportHoldWeight: limit } = await readSettings(trx);
  const isKnown = await isCleared(trx, ad.id, await readContent(trx, ad));
  if (!shouldHold(ad, { weight, limit, isCleared: isKnown })) return;
  await takeDecision(
    trx,
    operator('automatic'),
    aboutAd(ad, openCase),
    { action: 'hold', reason },
    { action: 'ad.hold', target: ['ad', ad.id], details: { case: openCase.id, weight, limit } },
  );
};

/**
 * Reports an ad, a person, a received message or a public rating. A second report of the same person while the case is
 * open replaces the first (`isNew` false). An ad is held in the same transaction when its reports weigh enough. `ip`: the
 * reporter's address, if a request brought it.
 */
export const createReport = (
  ctx: AppContext,
  actor: UserActor,
  { targetType, targetId, reason, details }: ReportInput,
  ip?: string,
): Promise<{ id: string; isNew: boolean }> =>
  inTransaction(ctx.db, async (trx) => {
    const reporter = await lockActiveActor(trx, actor);
    checkXAccountAge(await readSettings(trx), actor, reporter, { purpose: 'reports', now: getNow(trx) });
    const values = { reporter_id: actor.id, reason, details: details || null };
    // an ad that is held meanwhile is no longer visible
    const isOpen = await hasOpenReport(trx, actor.id, targetType, targetId);
    const known = isOpen ? await lockOpenCase(trx, targetType, targetId) : undefined;
    if (known) return upsertReport(trx, { ...values, case_id: known.id, weight: 0 });
    const { personId, snapshot, ad } = await FIND_TARGET[targetType](trx, actor, targetId);
    const opened = await openCase(trx, {
      target_type: targetType,
      target_id: targetId,
      person_id: personId,
      reported: snapshot,
    });
    const report = await upsertReport(trx, {
      ...values,
      case_id: opened.id,
      weight: weighReport(reporter, await readReporterRecord(trx, actor.id), getNow(trx).valueOf()),
      address_hash: hashAddress(ctx, ip),
    });
    const reports = await listWeighedReports(trx, opened.id);
    const weight = weighTogether(reports);
    await setWeight(trx, opened.id, weight);
    const told = { caseId: opened.id, targetType, targetId };
    if (opened.isNew)
      await insertWebhookEvents(trx, [{ type: 'report.opened', userId: null, toSite: true, data: told }]);
    if (ad) await holdIfReported(trx, ad, opened, { weight, reason });
    return report;
  });

const requireStaff = (actor: Actor): void => {
  if (!isStaff(actor)) throw forbidden('errors.staffOnly');
};

export interface CasePage {
  cases: CaseSummary[];
  nextCursor: string | null;
}

/** A page of the queue, or of decided cases; without those about the actor. */
export const listCases = async (
  ctx: AppContext,
  actor: Actor,
  { status = 'open', ...paging }: Paging & { status?: 'open' | 'decided' | undefined },
  language: Language = 'en',
): Promise<CasePage> => {
  requireStaff(actor);
  const { rows, nextCursor } = await (status === 'open' ? listOpenCases : listDecidedCases)(ctx.db, {
    ...paging,
    exceptPersonId: getUserId(actor),
  });
  return { cases: speaking(readTexts(language), () => rows.map(presentCaseSummary)), nextCursor };
};

export const countCases = (ctx: AppContext, actor: Actor): Promise<number> => {
  requireStaff(actor);
  return countOpenCases(ctx.db, getUserId(actor));
};

/** @throws {AppError} not_found, also for a case about the actor and for a photo that it has no copy of */
export const readCasePhoto = async (
  ctx: AppContext,
  actor: Actor,
  { id, photoId, size }: { id: string; photoId: string; size: PhotoSize },
): Promise<Buffer> => {
  requireStaff(actor);
  const row = await findCase(ctx.db, id);
  if (row === undefined || !maySeeCase(actor, row.person_id)) throw notFound();
  const photo = row.reported.messages.flatMap(({ photos = [] }) => photos).find((one) => one.id === photoId);
  const bytes = photo && (await loadPrivateImage(ctx, photo.sha256, size));
  if (bytes === undefined) throw notFound();
  return bytes;
};

/** The case as staff see it. @throws {AppError} not_found, also for a case about the actor */
export const getCase = async (ctx: AppContext, actor: Actor, id: string, language: Language = 'en'): Promise<Case> => {
  requireStaff(actor);
  const { db } = ctx;
  const row = await findCase(db, id);
  if (row === undefined || !maySeeCase(actor, row.person_id)) throw notFound('errors.caseNotFound');
  const appeal = await findAppealOf(db, row.target_type === 'decision' ? id : null);
  const targetId = appeal?.contested.target_id ?? row.target_id;
  const now = await readTarget(db, row.reported, targetId);
  const place = { url: now?.url ?? null, isGone: now === undefined, language };
  const [reports, history, reported, current, situation] = await Promise.all([
    listReports(db, id),
    readHistory(db, row.person_id),
    presentSnapshot(db, row.reported, place),
    now && presentSnapshot(db, now.snapshot, place),
    readSituation(db, actor, row, appeal?.contested),
  ]);
  const decider = appeal && (await findDecider(db, appeal.contested));
  return {
    ...speaking(readTexts(language), () => ({
      ...presentCaseSummary(row),
      reports: reports.map(presentReport),
      appeal: appeal ? presentAppeal(appeal, decider, row) : null,
    })),
    reported,
    now: current ?? null,
    isEdited: now !== undefined && isEdited(row.reported, now.snapshot),
    version: now?.snapshot.content ?? null,
    history,
    actions: listActions(situation),
  };
};

const findDecider = async (db: Db, { decided_by }: DecisionRow) =>
  decided_by === null ? undefined : findUser(db, decided_by);

const findAppealOf = async (db: Db, caseId: string | null) => {
  const appeal = caseId === null ? undefined : await findAppeal(db, { case_id: caseId });
  const contested = appeal && (await findDecision(db, appeal.decision_id));
  return contested && { ...appeal, contested };
};
