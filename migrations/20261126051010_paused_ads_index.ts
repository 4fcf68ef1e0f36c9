import type { Knex } from 'knex';

/** Paused ads by the end of their time, for the job that ends it, and for staff. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index concurrently ads_paused on ads (expires_at, id) where state = 'paused'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently ads_paused');
}

export const config = { transaction: false };
