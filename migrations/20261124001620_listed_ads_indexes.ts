import type { Knex } from 'knex';

/**
 * One index for each order, alone and within a category. In the order of price, ads with the same price are newest first
 * in both directions, so there are two. Concurrently, because the table may be big.
 */
const INDEXES = {
  // with the price, so that a page of a price range needs no other index and no sort
  listed_ads_category: '(category_id, id) include (price)',
  listed_ads_price_asc: '(price, id desc)',
  listed_ads_price_desc: '(price, id)',
  listed_ads_category_price_asc: '(category_id, price, id desc)',
  listed_ads_category_price_desc: '(category_id, price, id)',
  listed_ads_place: '(place_id, id)',
  listed_ads_category_place: '(category_id, place_id, id)',
  // fastupdate off: every bucket probe would read the pending list
  listed_ads_words: `using gin (
    (id >> 14), category_id, ad_words(id, words),
    ad_facets(price, condition, price_type, cell, details)
  ) with (fastupdate = off)`,
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(INDEXES)) {
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create index concurrently ${name} on listed_ads ${definition}`);
  }
  await knex.raw('analyze listed_ads');
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`drop index concurrently if exists ${name}`);
}

export const config = { transaction: false };
