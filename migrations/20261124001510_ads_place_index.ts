import type { Knex } from 'knex';

export const config = { transaction: false };

/** The ads that refer to a place: it is not removed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists ads_place on ads (place_id) where place_id is not null');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists ads_place');
}
