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

/** Can be repeated after a stop at any point: it keeps a complete index, and statistics precede the end of the former one. */
async function replaceIndex(knex: Knex, former: string, name: string, columns: string): Promise<void> {
  const { rows } = await knex.raw('select from pg_index where indexrelid = to_regclass(?) and not indisvalid', [name]);
  if (rows.length > 0) await knex.raw(`drop index concurrently ${name}`);
  // fastupdate off: every bucket probe would read the pending list
  await knex.raw(
    `create index concurrently if not exists ${name} on listed_ads using gin (${columns}) with (fastupdate = off)`,
  );
  await knex.raw('analyze listed_ads');
  await knex.raw(`drop index concurrently if exists ${former}`);
}

export const config = { transaction: false };
