import type { Knex } from 'knex';

/**
 * The price indexes carry the id, so that a rare price range (a vehicle for $20) gives its ads from the index alone,
 * newest first after a small sort. Without it the planner, which takes price and category to be independent, looked for
 * them in the whole category: 17 ms instead of 1 ms at a million ads.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ads_price, ads_category_price;
    create index ads_price on ads (price, id) where listed;
    create index ads_category_price on ads (category_id, price, id) where listed;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ads_price, ads_category_price;
    create index ads_price on ads (price) where listed;
    create index ads_category_price on ads (category_id, price) where listed;
  `);
}
