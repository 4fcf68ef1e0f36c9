import type { Knex } from 'knex';

/** When a word was added, or last found in an ad. The default of rows that exist is the time of this migration. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table search_words add added_at timestamptz not null default now()');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table search_words drop column added_at');
}
