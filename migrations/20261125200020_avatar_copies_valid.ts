import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table users validate constraint users_avatar_sha256_fkey');
}

export async function down(): Promise<void> {}
