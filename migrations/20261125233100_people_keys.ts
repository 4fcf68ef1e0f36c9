import type { Knex } from 'knex';

export const config = { transaction: false };

/** What the next migration refers to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create unique index concurrently if not exists ads_seller_key on ads (id, user_id)');
  await knex.raw('create unique index concurrently if not exists conversations_ad_key on conversations (id, ad_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists ads_seller_key');
  await knex.raw('drop index if exists conversations_ad_key');
}
