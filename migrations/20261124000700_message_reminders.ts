import type { Knex } from 'knex';

/**
 * Reminders of unread messages: one row a conversation and receiver, from the first message on until the job has found
 * nothing unread, or, once it has notified the receiver, until they have read the conversation.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table message_reminders (
      conversation_id bigint not null references conversations,
      receiver_id bigint not null references users,
      created_at timestamptz not null default now(),
      notified_at timestamptz,
      primary key (conversation_id, receiver_id)
    );
    create index message_reminders_receiver on message_reminders (receiver_id);
    create index message_reminders_waiting on message_reminders (created_at) where notified_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table message_reminders');
}
