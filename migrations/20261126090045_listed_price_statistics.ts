import type { Knex } from 'knex';

/** A column that changes its type loses its statistics: without them price ranges are planned badly while the next index is built. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('analyze listed_ads, ads');
}

export async function down(): Promise<void> {}
