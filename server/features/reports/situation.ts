import type { Db } from '../../db/pools.ts';
import { type Actor, isAdmin, isSelf, mayActOn } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { findUser } from '../users/repository.ts';
import type { CaseRow } from './case-repository.ts';
import { type DecisionRow, hasOtherStaff } from './decision-repository.ts';
import type { CaseSituation } from './rules.ts';

/** Reads what the actions about a case depend on. `contested` is the decision that an appeal is about. */
export const readSituation = async (
  db: Db,
  actor: Actor,
  { target_type, target_id, person_id, decided_at }: CaseRow,
  contested: DecisionRow | undefined,
): Promise<CaseSituation> => {
  const person = (await findUser(db, person_id))!;
  const ad = target_type === 'ad' ? await findAd(db, target_id) : undefined;
  const isDecider = contested?.decided_by != null && isSelf(actor, contested.decided_by);
  return {
    targetType: target_type,
    isDecided: decided_at !== null,
    mayAct: mayActOn(actor, person),
    mayBan: isAdmin(actor),
    isOwnDecision: isDecider && (await hasOtherStaff(db, contested.decided_by!, person)),
    isAdGone: target_type === 'ad' && (ad === undefined || ad.state === 'deleted'),
    person,
  };
};
