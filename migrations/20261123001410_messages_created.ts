import type { Knex } from 'knex';

export const config = { transaction: false };

/** For the daily figures: a day of messages, without reading the whole table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists messages_created on messages (created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists messages_created');
}
