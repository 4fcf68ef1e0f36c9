import type { Knex } from 'knex';

/** Searches use it while the index with the price does not exist: an index by an expression of a column stops its type from changing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists listed_ads_words');
  await knex.raw(
    'create index concurrently listed_ads_words on listed_ads using gin ((id >> 14), category_id, ad_words(id, words)) with (fastupdate = off)',
  );
  await knex.raw('drop index concurrently if exists listed_ads_search');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `create index concurrently if not exists listed_ads_search on listed_ads using gin ((id >> 14), category_id, ad_words(id, words),
     ad_facets(price, condition, price_type, cell, details), ad_priced_words(id, words, price)) with (fastupdate = off)`,
  );
  await knex.raw('drop index concurrently if exists listed_ads_words');
}

export const config = { transaction: false };
