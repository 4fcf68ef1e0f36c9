import type { Knex } from 'knex';

const COLUMNS = '(id >> 14), category_id, ad_words(id, words), ad_facets(price, condition, price_type, cell, details)';

/**
 * Replaces the index of words and facets by one that also finds words together with the price. Replicas of the previous
 * release find what they look for in it, too. Concurrently, because the table may be big.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceIndex(knex, 'listed_ads_words', 'listed_ads_search', `${COLUMNS}, ad_priced_words(id, words, price)`);
}

export async function down(knex: Knex): Promise<void> {
  await replaceIndex(knex, 'listed_ads_search', 'listed_ads_words', COLUMNS);
}

async function replaceIndex(knex: Knex, former: string, name: string, columns: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
  // fastupdate off: every bucket probe would read the pending list
  await knex.raw(`create index concurrently ${name} on listed_ads using gin (${columns}) with (fastupdate = off)`);
  await knex.raw(`drop index concurrently if exists ${former}`);
  await knex.raw('analyze listed_ads');
}

export const config = { transaction: false };
