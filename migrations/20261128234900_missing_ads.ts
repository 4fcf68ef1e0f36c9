import type { Knex } from 'knex';

/**
 * Ads that an import paused because its file named them no more: they come back with a file that names them. Replicas of the previous
 * release leave them paused.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table imported_ads add column is_missing boolean not null default false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table imported_ads drop column is_missing');
}
