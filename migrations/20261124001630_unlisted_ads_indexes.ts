import type { Knex } from 'knex';

/** Searches read listed_ads; these indexes of ads have no reader any more. Sitemaps still read ads_new. */
const INDEXES = {
  ads_category: '(category_id, id desc) include (price) where listed',
  ads_price: '(price, id) where listed',
  ads_category_price: '(category_id, price, id) where listed',
  ads_search: 'using gin ((id >> 14), category_id, tsv) with (fastupdate = off) where listed',
};

export async function up(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`drop index concurrently if exists ${name}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(INDEXES)) {
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create index concurrently ${name} on ads ${definition}`);
  }
}

export const config = { transaction: false };
