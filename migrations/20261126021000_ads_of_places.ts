import type { Knex } from 'knex';

/** How many public ads a place has, by the last run of the job `count-ads-of-places`. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table places add column ads integer not null default 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table places drop column ads');
}
