import type { Knex } from 'knex';

/** Reads the table, but blocks no writes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table users validate constraint users_time_zone_check');
}

export async function down(): Promise<void> {}
