import type { Decision } from '../../../contract/reports.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { lockActorWhileSuspended } from '../users/active-actor.ts';
import { findCase, openCase, type Snapshot } from './case-repository.ts';
import { type DecisionRow, findOwnDecision, insertAppeal, lockDecision } from './decision-repository.ts';
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

/** Opens a case about a decision on the actor. @throws {AppError} not_found, conflict (appealed already, or too late) */
export const appealDecision = (ctx: AppContext, actor: UserActor, id: string, text: string): Promise<Decision> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActorWhileSuspended(trx, actor);
    await lockDecision(trx, id);
    const decision = await findOwnDecision(trx, actor.id, id);
    if (decision === undefined) throw notFound('Decision not found');
    const refusal = refuseAppeal(toAppealable(decision), ctx.clock.now().valueOf());
    if (refusal !== null) throw conflict(refusal);
    const appeal = await openCase(trx, {
      target_type: 'decision',
      target_id: id,
      person_id: actor.id,
      reported: await readContested(trx, decision),
    });
    await insertAppeal(trx, { decision_id: id, case_id: appeal.id, text });
    return presentDecision((await findOwnDecision(trx, actor.id, id))!, ctx.clock.now());
  });
