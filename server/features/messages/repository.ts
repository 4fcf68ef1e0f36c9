import { LIMITS } from '../../../contract/limits.ts';
import { type Page, type Paging, parseCursor, readPage, toPage } from '../../db/pagination.ts';
import { countRows, countRowsBy, type Db, type Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { ConversationRow, MessageRow, UserRow } from '../../db/rows.ts';
import type { JobName } from '../../jobs/queue.ts';
import { type AdDetails, SELECT_ADS } from '../ads/repository.ts';
import { PUBLIC_USER_COLUMNS, selectBlocked } from '../users/repository.ts';

export const findConversation = (
  db: Db,
  adId: string,
  oneId: string,
  otherId: string,
): Promise<ConversationRow | undefined> =>
  db<ConversationRow>('conversations')
    .where({ ad_id: adId })
    .whereRaw('(seller_id, buyer_id) in ((?::bigint, ?::bigint), (?::bigint, ?::bigint))', [
      oneId,
      otherId,
      otherId,
      oneId,
    ])
    .first();

/** Locks the conversation of two people about an ad. Lock the people and the ad before it. */
export const lockConversationBetween = async (
  trx: Trx,
  adId: string,
  oneId: string,
  otherId: string,
): Promise<ConversationRow | undefined> => {
  const found = await findConversation(trx, adId, oneId, otherId);
  return found && trx<ConversationRow>('conversations').where({ id: found.id }).forUpdate().first();
};

const OWN_MESSAGES = (sender: string) =>
  `pg_advisory_xact_lock(hashtextextended('messages of ' || ${sender}::bigint, 0))`;

/** Lets one message of a person be counted after the other. Lock it before the people. */
export const lockMessagesOf = async (trx: Trx, senderId: string): Promise<void> => {
  await queryPrepared(trx, `select ${OWN_MESSAGES(':senderId')}`, { senderId });
};

export const upsertConversation = async (
  trx: Trx,
  conversation: { ad_id: string; seller_id: string; buyer_id: string },
): Promise<string> => {
  const [row] = await trx('conversations')
    .insert(conversation)
    .onConflict(['ad_id', 'buyer_id'])
    .merge(['seller_id'])
    .returning<{ id: string }[]>('id');
  return row!.id;
};

const REMIND: JobName = 'remind-of-messages';

const COLUMNS = 'id, conversation_id, ad_id, sender_id, receiver_id, content, text_hash, is_read, created_at';

/**
 * Adds a message and moves its conversation to the top. Locks the conversation's row first, so that ids of its
 * messages grow in the order in which they become visible: a reader who follows ids misses none. Adds nothing if one of
 * the two blocked the other: with both users locked (lockMessagingContext), no block can come in between. Begins the
 * receiver's reminder of the conversation unless there is one (reminders.ts). `has_webhooks`: the receiver has some, so that
 * messages to others cost no round trip for them.
 */
export const insertMessage = async (
  trx: Trx,
  message: Pick<MessageRow, 'conversation_id' | 'ad_id' | 'sender_id' | 'receiver_id' | 'content' | 'text_hash'> & {
    text_hash: Buffer | null;
  },
): Promise<(MessageRow & { has_webhooks: boolean }) | undefined> => {
  const [row] = await queryPrepared<MessageRow & { has_webhooks: boolean }>(
    trx,
    `with locked as (
       select id from conversations
       where id = :conversation_id and not ${selectBlocked(':sender_id::bigint', ':receiver_id::bigint')} for update
     ),
     added as (
       insert into messages (conversation_id, ad_id, sender_id, receiver_id, content, text_hash)
       select id, :ad_id::bigint, :sender_id::bigint, :receiver_id::bigint, :content, :text_hash::bytea from locked
       returning ${COLUMNS}
     ), moved as (
       update conversations c set last_message_id = added.id, message_count = message_count + 1
       from added where c.id = added.conversation_id
     ), reminder as (
       insert into message_reminders (conversation_id, receiver_id) select conversation_id, receiver_id from added
       on conflict do nothing returning conversation_id, receiver_id
     ), job as materialized (
       select graphile_worker.add_job('${REMIND}', run_at := now() + interval '2 minutes',
         payload := json_build_object('conversationId', conversation_id::text, 'receiverId', receiver_id::text))
       from reminder
     )
     select ${COLUMNS}, exists (select from webhooks w where w.user_id = receiver_id and w.is_on) as has_webhooks
     from added where (select count(*) from job) >= 0`,
    message,
  );
  return row;
};

export const findMessage = (db: Db, id: string): Promise<MessageRow | undefined> =>
  db<MessageRow>('messages').where({ id }).first();

export const listMessagesByIds = (db: Db, ids: readonly string[]): Promise<MessageRow[]> =>
  db<MessageRow>('messages').whereRaw('id = any(?::bigint[])', [[...ids]]);

export const listMessages = async (db: Db, conversationId: string, paging: Paging): Promise<Page<MessageRow>> => {
  const page = await readPage<MessageRow>(db('messages').where({ conversation_id: conversationId }), paging);
  return { ...page, rows: page.rows.toReversed() };
};

export const listConversations = async (
  db: Db,
  userId: string,
  cursor: string | undefined,
): Promise<Page<ConversationRow>> => {
  const limit = LIMITS.inboxConversations;
  const before = parseCursor(cursor);
  const side = (column: string) =>
    `(select * from conversations where ${column} = :userId and message_count > 0
      ${before === null ? '' : 'and last_message_id < :before'} order by last_message_id desc limit :limit)`;
  const { rows } = await db.raw<{ rows: ConversationRow[] }>(
    `select * from (${side('seller_id')} union all ${side('buyer_id')}) mine order by last_message_id desc limit :limit`,
    { userId, before: before ?? 0, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row.last_message_id);
};

export const listNewestMessages = async (db: Db, conversationIds: readonly string[]): Promise<MessageRow[]> => {
  const { rows } = await db.raw<{ rows: MessageRow[] }>(
    `select newest.* from unnest(?::bigint[]) as wanted (id)
     cross join lateral (select * from messages where conversation_id = wanted.id order by id desc limit ?) newest
     order by newest.id desc`,
    [[...conversationIds], LIMITS.inboxMessages],
  );
  return rows;
};

export const countUnreadByConversation = (
  db: Db,
  userId: string,
  conversationIds: readonly string[],
): Promise<Map<string, number>> =>
  countRowsBy(db('messages').where({ receiver_id: userId, is_read: false }), 'conversation_id', conversationIds);

export const countUnreadByUser = (db: Db, userIds: readonly string[]): Promise<Map<string, number>> =>
  countRowsBy(db('messages').where({ is_read: false }), 'receiver_id', userIds);

export const countUnread = (db: Db, userId: string): Promise<number> =>
  countRows(db('messages').where({ receiver_id: userId, is_read: false }));

export interface MarkedMessage {
  was_read: boolean;
  conversation_id: string;
  ad_id: string;
  sender_id: string;
}

/** Marks a received message as read; undefined if the user did not receive it. */
export const markRead = async (trx: Trx, id: string, receiverId: string): Promise<MarkedMessage | undefined> => {
  const { rows } = await trx.raw<{ rows: MarkedMessage[] }>(
    `with own as (
       select id, is_read, conversation_id, ad_id, sender_id from messages where id = :id and receiver_id = :receiverId
     ), marked as (update messages set is_read = true where id in (select id from own where not is_read))
     select is_read as was_read, conversation_id, ad_id, sender_id from own`,
    { id, receiverId },
  );
  return rows[0];
};

/** Marks received messages of a conversation as read, up to `upTo`. Returns the newest that was unread. */
export const markReadUpTo = async (
  trx: Trx,
  key: { conversationId: string; receiverId: string; upTo: string },
): Promise<string | null> => {
  const { rows } = await trx.raw<{ rows: [{ newest: string | null }] }>(
    `with marked as (
       update messages set is_read = true
       where conversation_id = :conversationId and receiver_id = :receiverId and not is_read and id <= :upTo
       returning id)
     select max(id) as newest from marked`,
    key,
  );
  return rows[0].newest;
};

const PERSON = [...PUBLIC_USER_COLUMNS, 'banned_at', 'suspended_until', 'deleted_at'] as const;

export type Person = Pick<UserRow, (typeof PERSON)[number]>;

/** Two users and an ad, protected from changes until the transaction ends, and their conversation if it exists. */
export interface LockedMessagingContext {
  sender: Person | undefined;
  other: Person | undefined;
  ad: AdDetails | undefined;
  conversationId: string | undefined;
}

type Row = AdDetails & { conversation: string | null } & { [K in keyof Person as `person_${K}`]: Person[K] };

// Locks the sender's messages, whose limits the next statement reads, then users in order of id, then the ad; the counts
// force this order. A row that another transaction is changing is
// read in its committed state.
const LOCK = `with sender as materialized (
    select ${OWN_MESSAGES(':senderId')}
  ), people as materialized (
    select ${PERSON.join(', ')} from users
    where id in (:senderId::bigint, :receiverId::bigint) and (select count(*) from sender) > 0
    order by id for share
  ), ad as materialized (
    ${SELECT_ADS} where a.id = :adId::bigint and (select count(*) from people) > 0 for share of a
  )
  select ${PERSON.map((name) => `p.${name} as person_${name}`).join(', ')}, ad.*, c.id as conversation
  from people p
  left join ad on true
  left join conversations c on c.ad_id = ad.id and (c.seller_id, c.buyer_id) in
    ((:senderId::bigint, :receiverId::bigint), (:receiverId::bigint, :senderId::bigint))`;

const toPerson = (row: Row): Person =>
  Object.fromEntries(PERSON.map((name) => [name, row[`person_${name}`]])) as unknown as Person;

export const lockMessagingContext = async (
  trx: Trx,
  { adId, senderId, receiverId }: { adId: string; senderId: string; receiverId: string },
): Promise<LockedMessagingContext> => {
  const rows = await queryPrepared<Row>(trx, LOCK, { adId, senderId, receiverId });
  const people = new Map(rows.map((row) => [row.person_id, toPerson(row)]));
  const first = rows[0];
  return {
    sender: people.get(senderId),
    other: people.get(receiverId),
    ad: first?.id ? first : undefined,
    conversationId: first?.conversation ?? undefined,
  };
};
