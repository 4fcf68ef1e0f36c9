import type { Condition } from '../../../contract/conditions.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { MessagePhoto } from '../../../contract/messages.ts';
import type { PriceType } from '../../../contract/prices.ts';
import type { RatingTag } from '../../../contract/ratings.ts';
import type { CaseTargetType, DecisionAction, ReportReason, ReportTarget } from '../../../contract/reports.ts';
import type { Role } from '../../../contract/user.ts';
import { type Page, type Paging, queryPage, toPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import type { Amount } from '../notifications/news-values.ts';
import type { ReporterRecord, WeighedReport } from './rules.ts';

/** A photo of a copied message. Its image stays as long as the copy. */
export interface CopiedPhoto extends MessagePhoto {
  sha256: string;
}

/**
 * A paragraph of a copy: what a person wrote, a text of the catalogs, tags of a rating, or details of an ad in a category (by its
 * slug). What depends on the language is said to each reader in theirs.
 */
export type CopyPart =
  | string
  | ErrorPhrase
  | { tags: RatingTag[] }
  | { category: string; details: Record<string, string> };

export interface CopiedMessage {
  id: string;
  senderId: string;
  /** In English, where the sender wrote nothing: an offer or photos, which each reader is told in their language. */
  content: string;
  createdAt: string;
  offer?: Amount;
  photos?: CopiedPhoto[];
  isWordless?: true;
}

/** What staff see of a target later, even if it is edited or deleted. Without names, which accounts take with them. */
export interface Snapshot {
  about: ReportTarget;
  /** In English, as is `text`: what `parts` and `heading` say in every language, if the snapshot has them. */
  title: string;
  text: string;
  heading?: ErrorPhrase;
  parts?: CopyPart[];
  price: string | null;
  /** Snapshots of earlier releases have none. */
  priceType?: PriceType | null;
  /** Snapshots of earlier releases have none, and their `content` is not comparable. */
  condition?: Condition | null;
  category: string | null;
  /** Of `category`. Snapshots of earlier releases have none. */
  categorySlug?: string;
  state: string | null;
  /** SHA-256 of each photo in hexadecimal, the cover first. */
  images: string[];
  messages: CopiedMessage[];
  /** Names the content of an ad (hashContent), in hexadecimal. */
  content: string | null;
}

export type CaseRow = Omit<Tables['moderation_cases'], 'reported'> & { reported: Snapshot };

/** A case with its person, the number of its reports, and the decision that ended it. */
export interface CaseDetails extends CaseRow {
  username: string | null;
  display_name: string;
  deleted_at: string | null;
  report_count: string;
  reasons: ReportReason[];
  decision_id: string | null;
  action: DecisionAction | null;
  reason: ReportReason | null;
  note: string | null;
  days: number | null;
  decision_at: string | null;
  decided_by: string | null;
  decider_username: string | null;
  decider_name: string | null;
  decider_deleted_at: string | null;
  decider_x_id: string | null;
  decider_role: Role | null;
}

const SELECT_CASES = `select c.*, p.username, p.display_name, p.deleted_at,
    (select count(*) from reports r where r.case_id = c.id) as report_count,
    (select coalesce(json_agg(reason order by number desc, reason), '[]')
     from (select reason, count(*) as number from reports r where r.case_id = c.id group by reason) counted) as reasons,
    d.id as decision_id, d.action, d.reason, d.note, d.days, d.created_at as decision_at, d.decided_by,
    s.username as decider_username, s.display_name as decider_name, s.deleted_at as decider_deleted_at,
    s.x_id as decider_x_id, s.role as decider_role
  from moderation_cases c
  join users p on p.id = c.person_id
  left join decisions d on d.case_id = c.id and d.action <> 'hold'
  left join users s on s.id = d.decided_by`;

interface CasePaging extends Paging {
  /** Leaves out the cases about this person. */
  exceptPersonId: string | null;
}

const IS_SHOWN = '(:exceptPersonId::bigint is null or c.person_id <> :exceptPersonId::bigint)';

const CURSOR = /^(\d{1,10}(?:\.\d{1,2})?)_([1-9]\d{0,17})$/;

/** Open cases: the most weight first, then the oldest. */
export const listOpenCases = async (
  db: Db,
  { cursor, limit, exceptPersonId }: CasePaging,
): Promise<Page<CaseDetails>> => {
  const [, weight, id] = CURSOR.exec(cursor ?? '') ?? [];
  const { rows } = await db.raw<{ rows: CaseDetails[] }>(
    `${SELECT_CASES} where c.decided_at is null and ${IS_SHOWN}
       ${id === undefined ? '' : 'and (c.weight < :weight or (c.weight = :weight and c.id > :id))'}
     order by c.weight desc, c.id limit :limit`,
    { weight: weight ?? '0', id: id ?? '0', limit: limit + 1, exceptPersonId },
  );
  return toPage(rows, limit, (row) => `${row.weight}_${row.id}`);
};

/** Decided cases, the newest decision first. */
export const listDecidedCases = (db: Db, { exceptPersonId, ...paging }: CasePaging): Promise<Page<CaseDetails>> => {
  const sql = `${SELECT_CASES} where d.id is not null and ${IS_SHOWN}`;
  return queryPage(db, [sql, { exceptPersonId }], paging, { column: 'd.id', key: 'decision_id' });
};

export const countOpenCases = async (db: Db, exceptPersonId: string | null): Promise<number> => {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from moderation_cases c where c.decided_at is null and ${IS_SHOWN}`,
    { exceptPersonId },
  );
  return rows[0]!.count;
};

export const findCase = async (db: Db, id: string): Promise<CaseDetails | undefined> => {
  const { rows } = await db.raw<{ rows: CaseDetails[] }>(`${SELECT_CASES} where c.id = ?`, [id]);
  return rows[0];
};

/** Locks the case. Lock users and ads before cases. */
export const lockCase = (trx: Trx, id: string): Promise<CaseRow | undefined> =>
  trx<CaseRow>('moderation_cases').where({ id }).forUpdate().first();

export const lockOpenCase = (trx: Trx, targetType: CaseTargetType, targetId: string): Promise<CaseRow | undefined> =>
  trx<CaseRow>('moderation_cases')
    .where({ target_type: targetType, target_id: targetId })
    .whereNull('decided_at')
    .forUpdate()
    .first();

export type NewCase = Pick<CaseRow, 'target_type' | 'target_id' | 'person_id' | 'reported'>;

/** Returns the locked open case about the target, and opens it if there is none (`isNew`). */
export const openCase = async (trx: Trx, values: NewCase): Promise<CaseRow & { isNew: boolean }> => {
  for (;;) {
    const [opened] = await trx('moderation_cases')
      .insert({ ...values, reported: JSON.stringify(values.reported) })
      .onConflict(trx.raw('(target_type, target_id) where decided_at is null'))
      .ignore()
      .returning<CaseRow[]>('*');
    if (opened !== undefined) {
      await keepImages(trx, opened);
      return { ...opened, isNew: true };
    }
    const open = await lockOpenCase(trx, values.target_type, values.target_id);
    // undefined if it was decided since the insert
    if (open !== undefined) return { ...open, isNew: false };
  }
};

/** The sweep of unused images spares those of a case. */
const keepImages = async (trx: Trx, { id, reported }: CaseRow): Promise<void> => {
  await trx.raw(
    `insert into case_images (case_id, sha256)
     select ?, sha256 from images
     where sha256 in (select decode(hex, 'hex') from unnest(?::text[]) hex) and deleting_at is null for key share`,
    [id, [...reported.images, ...reported.messages.flatMap(({ photos = [] }) => photos.map(({ sha256 }) => sha256))]],
  );
};

export const markDecided = async (trx: Trx, id: string): Promise<void> => {
  await trx('moderation_cases').where({ id }).update({ decided_at: trx.fn.now() });
};

export type ReportRow = Omit<Tables['reports'], 'outcome' | 'decided_at' | 'address_hash'>;

export interface ReportDetails extends ReportRow {
  username: string | null;
  display_name: string;
  deleted_at: string | null;
}

export const listReports = (db: Db, caseId: string): Promise<ReportDetails[]> =>
  db('reports as r')
    .join('users as u', 'u.id', 'r.reporter_id')
    .where({ case_id: caseId })
    .orderBy('r.id')
    .select<ReportDetails[]>('r.*', 'u.username', 'u.display_name', 'u.deleted_at');

/** Whether this person has an open report about the target. */
export const hasOpenReport = async (
  db: Db,
  reporterId: string,
  targetType: CaseTargetType,
  targetId: string,
): Promise<boolean> => {
  const own = await db('reports as r')
    .join('moderation_cases as c', 'c.id', 'r.case_id')
    .where({ target_type: targetType, target_id: targetId, reporter_id: reporterId })
    .whereNull('c.decided_at')
    .first('r.id');
  return own !== undefined;
};

/** Adds the report, or replaces reason and details of the reporter's own. The case must be locked. */
export const upsertReport = async (
  trx: Trx,
  report: Pick<ReportRow, 'case_id' | 'reporter_id' | 'reason' | 'details'> & {
    weight: number;
    address_hash?: Buffer | null;
  },
): Promise<{ id: string; isNew: boolean }> => {
  const { case_id, reporter_id, reason, details } = report;
  const [own] = await trx('reports')
    .where({ case_id, reporter_id })
    .update({ reason, details })
    .returning<{ id: string }[]>('id');
  if (own !== undefined) return { id: own.id, isNew: false };
  const [row] = await trx('reports').insert(report).returning<{ id: string }[]>('id');
  return { id: row!.id, isNew: true };
};

/** The reports of a case, with what ties their reporters to one another. */
export const listWeighedReports = async (trx: Trx, caseId: string): Promise<WeighedReport[]> => {
  const { rows } = await trx.raw<{ rows: WeighedReport[] }>(
    `select r.weight::float8 as weight, encode(r.address_hash, 'hex') as "addressHash", u.created_at::date::text as "accountDay",
       exists (select from ads a where a.user_id = u.id)
         or exists (select from conversations c where c.buyer_id = u.id and c.message_count > 0) as "isActive"
     from reports r join users u on u.id = r.reporter_id where r.case_id = ?`,
    [caseId],
  );
  return rows;
};

export const setWeight = async (trx: Trx, caseId: string, weight: number): Promise<void> => {
  await trx('moderation_cases').where({ id: caseId }).update({ weight });
};

/** Ends what is known of the addresses of reporters: with the decision, or after a month. */
export const forgetReporterAddresses = async (db: Db): Promise<void> => {
  await db.raw(
    `update reports set address_hash = null
     where address_hash is not null and (decided_at is not null or created_at < now() - ? * interval '1 day')`,
    [LIMITS.reporterAddressDays],
  );
};

export const readReporterRecord = async (db: Db, reporterId: string): Promise<ReporterRecord> => ({
  decided: await db('reports')
    .where({ reporter_id: reporterId })
    .whereNotNull('decided_at')
    .orderBy([
      { column: 'decided_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(100)
    .select<ReporterRecord['decided']>('outcome', 'decided_at'),
});

/** Closes the open reports of a case. Returns the ids of their reporters who still exist. */
export const closeReports = async (trx: Trx, caseId: string, outcome: 'dismissed' | 'upheld'): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { reporter_id: string; deleted_at: string | null }[] }>(
    `update reports r set outcome = ?, decided_at = now() from users u
     where r.case_id = ? and u.id = r.reporter_id and r.outcome is null
     returning r.reporter_id, u.deleted_at`,
    [outcome, caseId],
  );
  return rows.filter((row) => row.deleted_at === null).map((row) => row.reporter_id);
};

/** A reversed decision proves its reporters wrong: their reports no longer count as upheld. */
export const markReportsDismissed = async (trx: Trx, caseId: string): Promise<void> => {
  await trx('reports').where({ case_id: caseId, outcome: 'upheld' }).update({ outcome: 'dismissed' });
};

export interface PersonHistory {
  adsRemoved: number;
  warnings: number;
  suspensions: number;
  openCases: number;
}

export const readHistory = async (db: Db, personId: string): Promise<PersonHistory> => {
  const { rows } = await db.raw<{ rows: PersonHistory[] }>(
    `select count(distinct target_id) filter (where action = 'remove' and target_type = 'ad')::int as "adsRemoved",
       count(*) filter (where action = 'warn')::int as warnings,
       count(*) filter (where action = 'suspend')::int as suspensions,
       (select count(*)::int from moderation_cases
        where person_id = :personId and decided_at is null and target_type <> 'decision') as "openCases"
     from decisions where person_id = :personId and reversed_at is null`,
    { personId },
  );
  return rows[0]!;
};

const ERASED = { key: 'moderation.copyErased' } as const;

/**
 * Deletes what cases that were decided long ago copied: the text of messages, and the claim on photos, which are deleted
 * unless an ad uses them. An appeal that waits has copies of its own.
 */
export const deleteOldCopies = async (db: Db): Promise<void> => {
  await db.raw(
    `delete from case_images using moderation_cases c
     where c.id = case_id and c.decided_at < now() - ? * interval '1 day'`,
    [LIMITS.caseCopyDays],
  );
  await db.raw(
    `update moderation_cases
     set reported = reported || jsonb_build_object('title', 'A message', 'heading', :heading::jsonb, 'text', '',
       'messages', jsonb_build_array())
     where decided_at < now() - :days * interval '1 day'
       and reported->>'about' = 'message' and reported->'messages' <> jsonb_build_array()`,
    { days: LIMITS.caseCopyDays, heading: JSON.stringify(ERASED satisfies ErrorPhrase) },
  );
};

/** What a deleted person wrote. It stands in the database since an earlier release, and staff read it in their language. */
export const GONE = 'Deleted with the account of the writer.';

/**
 * Deletes what deleted people wrote in reports and appeals, once nobody needs it: the case of a report is decided and can no
 * longer be appealed, that of an appeal is decided.
 */
export const deleteTextsOfDeletedWriters = async (db: Db): Promise<void> => {
  await db.raw(
    `update reports r set details = case when r.reason = 'other' then :gone end
     from users u, moderation_cases c
     where u.id = r.reporter_id and u.deleted_at is not null and c.id = r.case_id
       and c.decided_at < now() - :days * interval '1 day' and r.details is not null and r.details <> :gone
       and not exists (select from decisions d join appeals a on a.decision_id = d.id
         join moderation_cases ac on ac.id = a.case_id where d.case_id = c.id and ac.decided_at is null)`,
    { gone: GONE, days: LIMITS.appealDays },
  );
  await db.raw(
    `update appeals a set text = :gone
     from decisions d, users u, moderation_cases c
     where d.id = a.decision_id and u.id = d.person_id and u.deleted_at is not null
       and c.id = a.case_id and c.decided_at is not null and a.text <> :gone`,
    { gone: GONE },
  );
};

export interface MessageCopy {
  id: string;
  ad_id: string;
  conversation_id: string;
  sender_id: string;
  receiver_id: string;
  content: string;
  created_at: string;
  photos: CopiedPhoto[] | null;
  /** The amount of the offer that the message is. */
  offer: string | null;
  has_text: boolean;
}

const MESSAGES_BEFORE = 5;

/** The message and up to five before it in its conversation, oldest first. Empty if it does not exist. */
export const listMessageWithContext = async (db: Db, messageId: string): Promise<MessageCopy[]> => {
  const { rows } = await db.raw<{ rows: MessageCopy[] }>(
    `select m.id, m.ad_id, m.conversation_id, m.sender_id, m.receiver_id, m.content, m.created_at,
       m.text_hash is not null as has_text, (select o.amount from offers o where o.message_id = m.id) as offer,
       (select json_agg(json_build_object('id', p.id::text, 'sha256', encode(p.sha256, 'hex'),
          'width', i.width, 'height', i.height) order by p.position)
        from message_photos p join images i on i.sha256 = p.sha256 where p.message_id = m.id) as photos
     from messages r join messages m on m.conversation_id = r.conversation_id and m.id <= r.id
     where r.id = ? order by m.id desc limit ?`,
    [messageId, MESSAGES_BEFORE + 1],
  );
  return rows.toReversed();
};

export const haveConversation = async (db: Db, oneId: string, otherId: string): Promise<boolean> => {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from conversations
     where (seller_id, buyer_id) in ((:oneId::bigint, :otherId::bigint), (:otherId::bigint, :oneId::bigint))
       and message_count > 0 limit 1`,
    { oneId, otherId },
  );
  return rows.length > 0;
};
