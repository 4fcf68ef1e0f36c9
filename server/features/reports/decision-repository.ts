import { CONTESTED_ACTIONS, type ReportReason } from '../../../contract/reports.ts';
import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { AdStateValue } from '../../db/rows.ts';
import type { Tables } from '../../db/tables.ts';

/** What a hold or a removal took from an ad. */
export interface AdRestore {
  state: Exclude<AdStateValue, 'deleted'>;
  stateReason: string | null;
  /** Earlier decisions have none. */
  stateReasonCode?: ReportReason | null;
  isApproved: boolean;
  isTakenDown: boolean;
  /** The content that was decided about (hashContent), in hexadecimal. */
  content: string;
}

export type DecisionRow = Omit<Tables['decisions'], 'restore'> & { restore: AdRestore | null };

export type DecisionValues = Omit<
  DecisionRow,
  'id' | 'created_at' | 'ended_at' | 'reversed_at' | 'until' | 'is_automatic'
>;

/** `until` of a suspension is the end that the user's row has by now. */
export const insertDecision = async (trx: Trx, values: DecisionValues): Promise<DecisionRow> => {
  const { action, person_id, restore } = values;
  const until = trx.raw('(select suspended_until from users where id = ?)', [person_id]);
  const [row] = await trx('decisions')
    .insert({
      ...values,
      restore: restore && JSON.stringify(restore),
      until: action === 'suspend' ? until : null,
      is_automatic: action === 'hold',
    })
    .returning<DecisionRow[]>('*');
  return row!;
};

export const lockDecision = (trx: Trx, id: string): Promise<DecisionRow | undefined> =>
  trx<DecisionRow>('decisions').where({ id }).forUpdate().first();

export const findDecision = (db: Db, id: string): Promise<DecisionRow | undefined> =>
  db<DecisionRow>('decisions').where({ id }).first();

/** The hold or removal that is in effect; the ad must be locked. */
export const findAdDecision = (trx: Trx, adId: string): Promise<DecisionRow | undefined> =>
  trx<DecisionRow>('decisions')
    .where({ target_type: 'ad', target_id: adId })
    .whereIn('action', ['hold', 'remove'])
    .whereNull('ended_at')
    .first();

/** The ban that is in effect; the person must be locked. */
export const findBan = (trx: Trx, personId: string): Promise<DecisionRow | undefined> =>
  trx<DecisionRow>('decisions').where({ person_id: personId, action: 'ban' }).whereNull('ended_at').first();

/** Takes the decision out of effect if it is not already. A reversed one was wrong. */
export const markEnded = async (trx: Trx, id: string, isReversed: boolean): Promise<void> => {
  await trx('decisions')
    .where({ id })
    .update({
      ended_at: trx.raw('coalesce(ended_at, now())'),
      ...(isReversed && { reversed_at: trx.fn.now() }),
    });
};

/** Takes the person's suspensions or bans out of effect, which end early. They were not wrong. */
export const endDecisionsAbout = async (trx: Trx, personId: string, action: 'suspend' | 'ban'): Promise<void> => {
  await trx('decisions')
    .where({ person_id: personId, action })
    .whereNull('ended_at')
    .update({ ended_at: trx.fn.now() });
};

/** When the last of the person's suspensions in effect ends by itself, as an ISO time; null without any. */
export const readSuspensionEnd = async (trx: Trx, personId: string): Promise<string | null> => {
  const { rows } = await trx.raw<{ rows: { until: string | null }[] }>(
    `select max(created_at + days * interval '1 day') as until from decisions
     where person_id = ? and action = 'suspend' and ended_at is null and created_at + days * interval '1 day' > now()`,
    [personId],
  );
  return rows[0]!.until;
};

/** After a suspension is reversed, the others in effect end no later than the last of them by itself. */
export const shortenSuspensions = async (trx: Trx, personId: string): Promise<void> => {
  await trx.raw(
    `update decisions d set until = least(d.until, ends.last) from (
       select max(created_at + days * interval '1 day') as last from decisions
       where person_id = :personId and action = 'suspend' and ended_at is null) ends
     where d.person_id = :personId and d.action = 'suspend' and d.ended_at is null`,
    { personId },
  );
};

export type AppealRow = Tables['appeals'];

export const findAppeal = (db: Db, by: { decision_id: string } | { case_id: string }): Promise<AppealRow | undefined> =>
  db<AppealRow>('appeals').where(by).first();

export const insertAppeal = async (
  trx: Trx,
  values: Pick<AppealRow, 'decision_id' | 'case_id' | 'text'>,
): Promise<void> => {
  await trx('appeals').insert(values);
};

/** A decision with its appeal, as the person concerned sees it. */
export interface OwnDecision extends DecisionRow {
  appeal_text: string | null;
  appealed_at: string | null;
  appeal_action: 'uphold' | 'reverse' | null;
  appeal_note: string | null;
  /** The ad or the rating was deleted. */
  is_target_gone: boolean;
}

const SELECT_OWN = `select d.*, a.text as appeal_text, a.created_at as appealed_at, o.action as appeal_action,
    o.note as appeal_note, case d.target_type
      when 'ad' then not exists (select from ads where ads.id = d.target_id and ads.state <> 'deleted')
      when 'rating' then not exists (select from ratings where ratings.id = d.target_id)
      else false end as is_target_gone
  from decisions d
  left join appeals a on a.decision_id = d.id
  left join decisions o on o.case_id = a.case_id
  where d.person_id = :userId and d.action = any('{${CONTESTED_ACTIONS}}')`;

/** A page of the decisions about the user, newest first. */
export const listOwnDecisions = (db: Db, userId: string, paging: Paging): Promise<Page<OwnDecision>> =>
  queryPage(db, [SELECT_OWN, { userId }], paging, { column: 'd.id' });

export const findOwnDecision = async (db: Db, userId: string, id: string): Promise<OwnDecision | undefined> => {
  const { rows } = await db.raw<{ rows: OwnDecision[] }>(`${SELECT_OWN} and d.id = :id`, { userId, id });
  return rows[0];
};

/** The ban that the person reads: the last one. */
export const findOwnBan = async (db: Db, userId: string): Promise<OwnDecision | undefined> => {
  const { rows } = await db.raw<{ rows: OwnDecision[] }>(
    `${SELECT_OWN} and d.action = 'ban' order by d.id desc limit 1`,
    { userId },
  );
  return rows[0];
};

export const isCleared = async (trx: Trx, adId: string, content: Buffer): Promise<boolean> =>
  (await trx('ad_clearances').where({ ad_id: adId, content }).first('ad_id')) !== undefined;

export const clearContent = async (trx: Trx, adId: string, content: Buffer): Promise<void> => {
  await trx('ad_clearances').insert({ ad_id: adId, content }).onConflict().ignore();
};

/** Whether a member of staff other than these two exists who may decide: in good standing, of a higher role. */
export const hasOtherStaff = async (
  db: Db,
  deciderId: string,
  appellant: { id: string; role: string },
  isForAdmins: boolean,
) => {
  // each condition has a partial index; "in" would have none
  const roles = appellant.role === 'user' && !isForAdmins ? "(role = 'moderator' or role = 'admin')" : "role = 'admin'";
  const row = await db('users')
    .whereRaw(roles)
    .whereNotIn('id', [deciderId, appellant.id])
    .whereNull('banned_at')
    .whereNull('deleted_at')
    .whereRaw('coalesce(suspended_until <= now(), true)')
    .first('id');
  return row !== undefined;
};
