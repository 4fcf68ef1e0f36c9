import type { Db, Trx } from '../../db/pools.ts';

/** The unread messages of one person in one conversation. */
export interface ReminderKey {
  conversationId: string;
  receiverId: string;
}

const toRow = ({ conversationId, receiverId }: ReminderKey) => ({
  conversation_id: conversationId,
  receiver_id: receiverId,
});

/** Keeps messages of this conversation from being added until the transaction ends. */
export const lockConversation = async (trx: Trx, conversationId: string): Promise<void> => {
  await trx('conversations').where({ id: conversationId }).forUpdate().first('id');
};

/** Whether the reminder still waits; false for one that has ended or has notified its receiver. */
export const isWaiting = async (trx: Trx, key: ReminderKey): Promise<boolean> =>
  (await trx('message_reminders').where(toRow(key)).whereNull('notified_at').first('created_at')) !== undefined;

export interface UnreadMessage {
  sender_id: string;
  ad_id: string;
  /** Seconds since it was sent. */
  age: number;
}

/** The oldest unread message, which cannot be marked as read until the transaction ends. */
export const lockOldestUnread = async (
  trx: Trx,
  { conversationId, receiverId }: ReminderKey,
): Promise<UnreadMessage | undefined> => {
  const { rows } = await trx.raw<{ rows: UnreadMessage[] }>(
    `select sender_id, ad_id, extract(epoch from now() - created_at)::float8 as age from messages
     where conversation_id = :conversationId and receiver_id = :receiverId and not is_read
     order by id limit 1 for share`,
    { conversationId, receiverId },
  );
  return rows[0];
};

export const setNotified = async (trx: Trx, key: ReminderKey): Promise<void> => {
  await trx('message_reminders').where(toRow(key)).update({ notified_at: trx.fn.now() });
};

export const deleteReminder = async (trx: Trx, key: ReminderKey): Promise<void> => {
  await trx('message_reminders').where(toRow(key)).delete();
};

/**
 * Locks the conversation if its receiver was notified and has not read it since. Because of the lock,
 * two reads at the same time end the reminder one after the other.
 */
export const lockNotified = async (trx: Trx, { conversationId, receiverId }: ReminderKey): Promise<boolean> => {
  const { rows } = await trx.raw<{ rows: object[] }>(
    `select id from conversations c where id = :conversationId and exists (
       select from message_reminders
       where conversation_id = c.id and receiver_id = :receiverId and notified_at is not null)
     for update`,
    { conversationId, receiverId },
  );
  return rows.length > 0;
};

/**
 * Ends the reminder of a conversation without unread messages. Marks its notifications, which lead to `url`, as read.
 * Returns how many were unread.
 */
export const endReadReminder = async (
  trx: Trx,
  { conversationId, receiverId, url }: ReminderKey & { url: string },
): Promise<number> => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `with ended as (
       delete from message_reminders where conversation_id = :conversationId and receiver_id = :receiverId
         and not exists (select from messages
           where conversation_id = :conversationId and receiver_id = :receiverId and not is_read)
       returning receiver_id
     )
     update notifications n set is_read = true from ended
     where n.user_id = ended.receiver_id and n.kind = 'message' and n.url = :url and not n.is_read`,
    { conversationId, receiverId, url },
  );
  return rowCount;
};

export const listWaitingReminders = async (db: Db): Promise<ReminderKey[]> => {
  const rows = await db('message_reminders')
    .whereNull('notified_at')
    .select<{ conversation_id: string; receiver_id: string }[]>('conversation_id', 'receiver_id');
  return rows.map((row) => ({ conversationId: row.conversation_id, receiverId: row.receiver_id }));
};
