import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import type { FanOutProgress } from './fan-outs-repository.ts';

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

export const findNotice = (db: Db, id: string): Promise<NoticeRow | undefined> =>
  db<NoticeRow>('notices').where({ id }).first();

/** Takes an unfinished notice, as far as the previous release has delivered it, and leaves nothing for that to deliver. */
export const takeNotice = async (trx: Trx, id: string): Promise<FanOutProgress | undefined> => {
  const unfinished = await trx<NoticeRow>('notices').where({ id }).whereNull('finished_at').forUpdate().first();
  if (unfinished === undefined) return undefined;
  const { delivered_to, last_user_id, created_at } = unfinished;
  await trx('notices').where({ id }).update({ delivered_to: last_user_id });
  return { delivered_to, begun_at: created_at };
};

export const listUnfinishedNotices = (db: Db): Promise<string[]> =>
  db('notices').whereNull('finished_at').orderBy('id').pluck('id');

export const countReceivers = (db: Db): Promise<number> =>
  countRows(db('users').whereNull('banned_at').whereNull('deleted_at'));

/** The next people who are not banned and had an account when the notice was sent, in order of id. */
export const listNextReceivers = (
  db: Db,
  noticeId: string,
  { delivered_to }: FanOutProgress,
  limit: number,
): Promise<string[]> =>
  db('users')
    .where('id', '>', delivered_to)
    .where('id', '<=', db('notices').where({ id: noticeId }).select('last_user_id'))
    .whereNull('banned_at')
    .whereNull('deleted_at')
    .orderBy('id')
    .limit(limit)
    .pluck('id');

export const finishNotice = async (trx: Trx, id: string): Promise<void> => {
  await trx('notices')
    .where({ id })
    .update({ finished_at: trx.fn.now(), recipients: trx('notifications').where({ notice_id: id }).count() });
};
