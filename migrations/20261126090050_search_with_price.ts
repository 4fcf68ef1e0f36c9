import type { Knex } from 'knex';

/** The index of words and facets, as before. Statistics of the price ended with its former type. */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(
    "select from pg_index where indexrelid = to_regclass('listed_ads_search') and not indisvalid",
  );
  if (rows.length > 0) await knex.raw('drop index concurrently listed_ads_search');
  await knex.raw(
    `create index concurrently if not exists listed_ads_search on listed_ads using gin ((id >> 14), category_id, ad_words(id, words),
     ad_facets(price, condition, price_type, cell, details), ad_priced_words(id, words, price)) with (fastupdate = off)`,
  );
  await knex.raw('drop index concurrently if exists listed_ads_words');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists listed_ads_words on listed_ads using gin ((id >> 14), category_id, ad_words(id, words)) with (fastupdate = off)',
  );
  await knex.raw('drop index concurrently if exists listed_ads_search');
}

export const config = { transaction: false };
