import type { Knex } from 'knex';

/** Reads the table, but blocks no writes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table ads validate constraint ads_state_reason_code_check');
}

export async function down(): Promise<void> {}
