import type { Knex } from 'knex';

/**
 * Saved searches, and the new ads that match them. `filters` is the query as given, apart from the category; `resolved` is what
 * the query builder makes of it. An ad is tested against the searches whose rarest word it has (`key_words`: the stems of that
 * word), and against those without words in its category and price range. The slot limits the searches of a person.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table saved_searches (
      id bigint generated always as identity (start with 10001) primary key,
      user_id bigint not null references users,
      slot smallint not null check (slot between 1 and 20),
      name text not null check (char_length(name) between 1 and 100),
      frequency text not null check (frequency in ('instantly', 'daily', 'never')),
      category_id smallint references categories,
      filters jsonb not null check (jsonb_typeof(filters) = 'object' and octet_length(filters::text) <= 8000),
      resolved jsonb not null check (jsonb_typeof(resolved) = 'object' and octet_length(resolved::text) <= 32000),
      key_words text[] check (cardinality(key_words) > 0),
      min_price numeric not null generated always as (coalesce((resolved->>'minPrice')::numeric, 0)) stored,
      max_price numeric not null generated always as (coalesce((resolved->>'maxPrice')::numeric, 'Infinity')) stored,
      notify_at timestamptz,
      notified_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      unique (user_id, slot),
      check (category_id is not null or filters <> '{}'),
      check ((key_words is not null) = (resolved->'query' is not null)),
      check (notify_at is null or frequency <> 'never')
    );
    create index saved_searches_words on saved_searches using gin (key_words) with (fastupdate = off)
      where key_words is not null;
    create index saved_searches_category on saved_searches (category_id, min_price, max_price) where key_words is null;
    create index saved_searches_due on saved_searches (notify_at) where notify_at is not null;

    create table search_matches (
      search_id bigint not null references saved_searches on delete cascade,
      ad_id bigint not null references ads on delete cascade,
      is_told boolean not null,
      created_at timestamptz not null default now(),
      primary key (search_id, ad_id)
    );
    create index search_matches_ad on search_matches (ad_id);
    create index search_matches_created on search_matches (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table search_matches, saved_searches');
}
