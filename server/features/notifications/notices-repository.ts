import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export interface NewNotice {
  title: string;
  body: string;
  /** Null for an operator. */
  senderId: string | null;
  /** Null for everyone who is not banned. */
  receiverId: string | null;
}

export type NoticeRow = Tables['notices'];

export const insertNotice = async (trx: Trx, notice: NewNotice): Promise<string> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `insert into notices (title, body, sender_id, receiver_id, last_user_id)
     select :title, :body, :senderId, :receiverId::bigint, coalesce(:receiverId::bigint, (select max(id) from users), 0)
     returning id`,
    { ...notice },
  );
  return rows[0]!.id;
};

export const lockUnfinishedNotice = (trx: Trx, id: string): Promise<NoticeRow | undefined> =>
  trx<NoticeRow>('notices').where({ id }).whereNull('finished_at').forUpdate().first();

export const listUnfinishedNotices = (db: Db): Promise<string[]> =>
  db('notices').whereNull('finished_at').orderBy('id').pluck('id');

export const countReceivers = (db: Db): Promise<number> =>
  countRows(db('users').whereNull('banned_at').whereNull('deleted_at'));

/**
 * Locks the next receivers in order of id: an account that is deleted meanwhile is deleted after this transaction,
 * together with the notification.
 */
export const lockNextReceivers = async (trx: Trx, notice: NoticeRow, limit: number): Promise<string[]> => {
  const users = trx('users').where('id', '>', notice.delivered_to).where('id', '<=', notice.last_user_id);
  if (notice.receiver_id === null) users.whereNull('banned_at');
  else users.where({ id: notice.receiver_id });
  return users.whereNull('deleted_at').orderBy('id').limit(limit).forShare().pluck('id');
};

interface Progress {
  deliveredTo: string;
  recipients: number;
  isFinished: boolean;
}

export const addProgress = async (
  trx: Trx,
  id: string,
  { deliveredTo, recipients, isFinished }: Progress,
): Promise<void> => {
  await trx('notices')
    .where({ id })
    .update({
      delivered_to: deliveredTo,
      recipients: trx.raw('recipients + ?', [recipients]),
      finished_at: isFinished ? trx.fn.now() : null,
    });
};
