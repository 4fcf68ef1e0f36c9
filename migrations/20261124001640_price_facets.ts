import type { Knex } from 'knex';

/**
 * Facets have steps of the price too, of about an eighth, so that a word and a price range are looked up together: of a
 * common word, nearly all rows were read to find those in a narrow range.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function ad_facets(price numeric, condition text, price_type text, cell integer, details jsonb) returns text[]
      language sql immutable parallel safe cost 1000 as $$
      select array_remove(array[
        'price~' || floor(ln(price::float8 + 1) * 8), 'condition=' || condition, 'priceType=' || price_type, 'cell=' || cell
      ], null) || array(
        select token from jsonb_each(details), unnest(array[
          'd.' || key || '=' || (value #>> '{}'),
          case when jsonb_typeof(value) = 'number' then
            'd.' || key || '~' || floor(ln(greatest(0, (value #>> '{}')::float8) + 1) * 8)
          end
        ]) token where token is not null
      )
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function ad_facets(numeric, text, text, integer, jsonb)');
}
