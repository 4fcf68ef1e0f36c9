import type { Knex } from 'knex';

/** The index of words and facets, with the steps of the price. */
const search = (facets: string): string =>
  `using gin ((id >> 14), category_id, ad_words(id, words), ${facets}) with (fastupdate = off)`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists listed_ads_words');
  await knex.raw(
    `create index concurrently listed_ads_words on listed_ads ${search('ad_facets(price, condition, price_type, cell, details)')}`,
  );
  await knex.raw('drop index concurrently if exists listed_ads_search');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists listed_ads_search');
  await knex.raw(
    `create index concurrently listed_ads_search on listed_ads ${search('ad_facets(condition, price_type, cell, details)')}`,
  );
  await knex.raw('drop index concurrently if exists listed_ads_words');
}

export const config = { transaction: false };
