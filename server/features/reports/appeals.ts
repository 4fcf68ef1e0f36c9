import type { Decision } from '../../../contract/reports.ts';
import type { AppContext } from '../../app-context.ts';
import { type Db, getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { type LinkPayloads, readLink } from '../notifications/link-tokens.ts';
import { lockActorWhileSuspended } from '../users/active-actor.ts';
import { findUser, lockUserShared } from '../users/repository.ts';
import { findCase, openCase, type Snapshot } from './case-repository.ts';
import {
  type DecisionRow,
  findOwnBan,
  findOwnDecision,
  insertAppeal,
  lockDecision,
  type OwnDecision,
} from './decision-repository.ts';
import { presentDecision, toAppealable } from './presenter.ts';
import { refuseAppeal } from './rules.ts';
import { NOTHING, readTarget } from './snapshot.ts';

/** What the contested decision was about: the copy of its case, else the target as it is now. */
const readContested = async (db: Db, decision: DecisionRow): Promise<Snapshot> => {
  const reported = decision.case_id === null ? undefined : (await findCase(db, decision.case_id))?.reported;
  if (reported) return reported;
  const about = decision.target_type as Snapshot['about'];
  const gone = { ...NOTHING, about, title: decision.title ?? '', text: '' };
  return (await readTarget(db, gone, decision.target_id))?.snapshot ?? gone;
};

/** Opens a case about the decision. The person and the decision must be locked. @throws {AppError} conflict */
const openAppeal = async (trx: Trx, decision: OwnDecision, text: string): Promise<Decision> => {
  const { id, person_id } = decision;
  const now = getNow(trx);
  const refusal = refuseAppeal(toAppealable(decision), now.valueOf());
  if (refusal !== null) throw conflict(refusal.key, refusal.values);
  const reported = await readContested(trx, decision);
  const appeal = await openCase(trx, { target_type: 'decision', target_id: id, person_id, reported });
  await insertAppeal(trx, { decision_id: id, case_id: appeal.id, text });
  return presentDecision((await findOwnDecision(trx, person_id, id))!, now);
};

/** Appeals a decision on the actor. @throws {AppError} not_found, conflict (appealed already, or too late) */
export const appealDecision = (ctx: AppContext, actor: UserActor, id: string, text: string): Promise<Decision> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActorWhileSuspended(trx, actor);
    await lockDecision(trx, id);
    const decision = await findOwnDecision(trx, actor.id, id);
    if (decision === undefined) throw notFound('errors.decisionNotFound');
    return openAppeal(trx, decision, text);
  });

/** Whom a link to a ban was given. @throws {AppError} link_invalid, link_expired */
const readBanLink = (ctx: AppContext, token: string): LinkPayloads['ban'] => {
  const link = readLink(ctx, 'ban', token);
  if (link.state === 'valid') return link.payload;
  if (link.state === 'invalid') throw new AppError('link_invalid');
  throw new AppError('link_expired', { key: 'errors.linkExpiredX' });
};

/** The last ban of the holder, whose account still exists. @throws {AppError} link_invalid */
const findBanOf = async (
  db: Db,
  { userId, userSince }: LinkPayloads['ban'],
  user: UserRow | undefined,
): Promise<OwnDecision> => {
  const isHolder = user?.deleted_at === null && Date.parse(user.created_at) === userSince;
  const ban = isHolder ? await findOwnBan(db, userId) : undefined;
  if (ban === undefined) throw new AppError('link_invalid');
  return ban;
};

/** The link is the permission: who is banned has no session. @throws {AppError} link_invalid, link_expired */
export const getBan = async (ctx: AppContext, token: string): Promise<Decision> => {
  const holder = readBanLink(ctx, token);
  const ban = await findBanOf(ctx.db, holder, await findUser(ctx.db, holder.userId));
  return presentDecision(ban, ctx.clock.now());
};

/** @throws {AppError} link_invalid, link_expired, conflict (appealed already, or lifted) */
export const appealBan = (ctx: AppContext, token: string, text: string): Promise<Decision> =>
  inTransaction(ctx.db, async (trx) => {
    const holder = readBanLink(ctx, token);
    const user = await lockUserShared(trx, holder.userId);
    const { id } = await findBanOf(trx, holder, user);
    await lockDecision(trx, id);
    return openAppeal(trx, (await findOwnDecision(trx, holder.userId, id))!, text);
  });
