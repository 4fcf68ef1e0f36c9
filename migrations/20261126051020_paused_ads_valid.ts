import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table ads validate constraint ads_state_check');
}

export async function down(): Promise<void> {}
