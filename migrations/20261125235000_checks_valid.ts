import type { Knex } from 'knex';

/** Two checks that earlier migrations added NOT VALID, and that none validated. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table messages validate constraint messages_text_hash_check');
  await knex.raw('alter table users validate constraint users_rated_check');
}

export async function down(): Promise<void> {}
