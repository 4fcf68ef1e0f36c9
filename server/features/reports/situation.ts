import type { CaseTargetType } from '../../../contract/reports.ts';
import type { Db } from '../../db/pools.ts';
import { type Actor, isSelf, mayActOn, mayBan } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { findRating } from '../ratings/repository.ts';
import { findUser } from '../users/repository.ts';
import type { CaseRow } from './case-repository.ts';
import { type DecisionRow, hasOtherStaff } from './decision-repository.ts';
import type { CaseSituation } from './rules.ts';

const isAdGone = async (db: Db, id: string) => ((await findAd(db, id))?.state ?? 'deleted') === 'deleted';
const isRatingGone = async (db: Db, id: string) => (await findRating(db, id))?.removed_at !== null;
const isNeverGone = async () => false;
const IS_GONE: Record<CaseTargetType, (db: Db, id: string) => Promise<boolean>> = {
  ad: isAdGone,
  rating: isRatingGone,
  user: isNeverGone,
  message: isNeverGone,
  decision: isNeverGone,
};

/** Reads what the actions about a case depend on. `contested` is the decision that an appeal is about. */
export const readSituation = async (
  db: Db,
  actor: Actor,
  { target_type, target_id, person_id, decided_at }: CaseRow,
  contested: DecisionRow | undefined,
): Promise<CaseSituation> => {
  const person = (await findUser(db, person_id))!;
  const isBanAppeal = contested?.action === 'ban';
  const isDecider = contested?.decided_by != null && isSelf(actor, contested.decided_by);
  return {
    targetType: target_type,
    isDecided: decided_at !== null,
    mayAct: mayActOn(actor, person),
    mayBan: mayBan(actor),
    isBanAppeal,
    isOwnDecision: isDecider && (await hasOtherStaff(db, contested.decided_by!, person, isBanAppeal)),
    isTargetGone: await IS_GONE[target_type](db, target_id),
    person,
  };
};
