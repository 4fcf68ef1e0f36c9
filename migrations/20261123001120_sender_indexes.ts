import type { Knex } from 'knex';

export const config = { transaction: false };

/** Recent messages of a sender, and recently deleted ads of a seller, for the limits against spam. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists messages_sender_time on messages (sender_id, created_at)');
  await knex.raw('drop index concurrently if exists messages_sender');
  await knex.raw(
    "create index concurrently if not exists ads_seller_deleted on ads (user_id, created_at) where state = 'deleted'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists ads_seller_deleted');
  await knex.raw('create index concurrently if not exists messages_sender on messages (sender_id)');
  await knex.raw('drop index if exists messages_sender_time');
}
