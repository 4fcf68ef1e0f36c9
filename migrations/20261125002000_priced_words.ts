import type { Knex } from 'knex';

/**
 * A word in a price range: the index has each word of an ad also together with the step of its price, so that it finds
 * few ads that cost something else. A replica of the previous release finds what it looks for in the new index too.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function ad_priced_words(id bigint, words bigint, price numeric) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
      select array(
        select stem || '~' || floor(ln(price::float8 + 1) * 3)
        from unnest(tsvector_to_array((select ads.tsv from public.ads where ads.id = $1))) stem
      )
    $$
  `);
  await replaceIndex(knex, 'listed_ads_words', 'listed_ads_search', `${COLUMNS}, ad_priced_words(id, words, price)`);
}

export async function down(knex: Knex): Promise<void> {
  await replaceIndex(knex, 'listed_ads_search', 'listed_ads_words', COLUMNS);
  await knex.raw('drop function if exists ad_priced_words');
}

const COLUMNS = '(id >> 14), category_id, ad_words(id, words), ad_facets(price, condition, price_type, cell, details)';

/** Concurrently, because the table may be big. */
async function replaceIndex(knex: Knex, former: string, name: string, columns: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`create index concurrently ${name} on listed_ads using gin (${columns}) with (fastupdate = off)`);
  await knex.raw(`drop index concurrently if exists ${former}`);
  await knex.raw('analyze listed_ads');
}

export const config = { transaction: false };
