import type { Knex } from 'knex';

export const config = { transaction: false };

/** The people who saved an ad, in the order of their ids, in which they are notified. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists favorites_ad_user on favorites (ad_id, user_id)');
  await knex.raw('drop index concurrently if exists favorites_ad');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists favorites_ad on favorites (ad_id)');
  await knex.raw('drop index concurrently if exists favorites_ad_user');
}
