import type { Knex } from 'knex';

/**
 * Ads that an import paused because its file said that they are not to be shown: they come back with a file that shows them. Of those before
 * this migration it is not known, so they stay paused until their sellers resume them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table imported_ads add column is_hidden boolean not null default false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table imported_ads drop column is_hidden');
}
