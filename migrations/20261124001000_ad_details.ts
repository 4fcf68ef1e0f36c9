import type { Knex } from 'knex';

/**
 * What a seller may add to an ad: the city, the kind of price, the condition, and details of the category. The server
 * checks details by contract/attributes.ts; the constraint limits what any of its definitions may store.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function are_details(details jsonb) returns boolean language sql immutable parallel safe as $$
      select case when jsonb_typeof(details) = 'object' then (
        select count(*) <= 8 and coalesce(bool_and(
          key ~ '^[a-zA-Z]{1,30}$' and jsonb_typeof(value) in ('string', 'number') and char_length(value #>> '{}') <= 50
        ), true) from jsonb_each(details)
      ) else false end
    $$;

    alter table ads
      add column place_id bigint,
      add column price_type text not null default 'fixed'
        check (price_type in ('fixed', 'negotiable', 'free', 'wanted')),
      add column condition text check (condition in ('new', 'like_new', 'good', 'fair', 'for_parts')),
      add column details jsonb not null default '{}' check (are_details(details)),
      add column has_photos boolean not null default false,
      add constraint ads_free_price check (price_type <> 'free' or price = 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ads
      drop constraint ads_free_price,
      drop column place_id,
      drop column price_type,
      drop column condition,
      drop column details,
      drop column has_photos;
    drop function are_details(jsonb);
  `);
}
