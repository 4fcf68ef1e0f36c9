import type { Knex } from 'knex';

/** Each word of an ad together with the step of its price, for the index of the next migration (filters.ts). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function ad_priced_words(id bigint, words bigint, price numeric) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
      select array(
        select stem || '~' || floor(ln(price::float8 + 1) * 3)
        from unnest(tsvector_to_array((select ads.tsv from public.ads where ads.id = $1))) stem
      )
    $$
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function ad_priced_words');
}
