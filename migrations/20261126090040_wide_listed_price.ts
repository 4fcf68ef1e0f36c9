import type { Knex } from 'knex';

/** As the price of an ad. No row is written and no index is built. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table listed_ads alter column price type numeric');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table listed_ads alter column price type numeric(10, 2)');
}
