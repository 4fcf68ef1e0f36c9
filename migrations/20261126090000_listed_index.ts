import type { Knex } from 'knex';

/**
 * Lists read `listed_ads`, so indexes on `ads` for them are of no use, and those with the price would be built again when its type
 * changes. The newest and the oldest listed ad are found by one that has no price. Concurrently, because the table may be big.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists ads_listed');
  await knex.raw('create index concurrently ads_listed on ads (id) where listed');
  for (const name of ['ads_new', 'ads_category', 'ads_price', 'ads_category_price'])
    await knex.raw(`drop index concurrently if exists ${name}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists ads_new on ads (id desc) include (price, category_id) where listed',
  );
  await knex.raw(
    'create index concurrently if not exists ads_category on ads (category_id, id desc) include (price) where listed',
  );
  await knex.raw('create index concurrently if not exists ads_price on ads (price, id) where listed');
  await knex.raw(
    'create index concurrently if not exists ads_category_price on ads (category_id, price, id) where listed',
  );
  await knex.raw('drop index concurrently if exists ads_listed');
}

export const config = { transaction: false };
