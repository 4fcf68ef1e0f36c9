import type { Knex } from 'knex';

/**
 * Cities of GeoNames. `folded` is what people type: the name, the region and the country code, without accents, case
 * and punctuation. PostgreSQL calls unaccent stable because its rules may change; a restore computes the column again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function fold_place(text) returns text language sql immutable strict parallel safe as $$
      select btrim(regexp_replace(
        regexp_replace(lower(public.unaccent('public.unaccent', $1)), '[''\`’‘ʻʼ]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'
      ));
    $$;

    create function distance_km(lat1 float8, lng1 float8, lat2 float8, lng2 float8) returns float8
      language sql immutable strict parallel safe as $$
      select 2 * 6371.0088 * asin(sqrt(least(1,
        power(sind((lat2 - lat1) / 2), 2) + cosd(lat1) * cosd(lat2) * power(sind((lng2 - lng1) / 2), 2)
      )));
    $$;

    create table places (
      id bigint primary key check (id > 0),
      name text not null check (length(name) between 1 and 100),
      region text check (length(region) between 1 and 100),
      country text not null check (country ~ '^[A-Z]{2}$'),
      lat float8 not null check (lat between -90 and 90),
      lng float8 not null check (lng between -180 and 180),
      population integer not null check (population >= 0),
      folded text collate "C" not null
        generated always as (fold_place(name || coalesce(' ' || region, '') || ' ' || country)) stored
    );
    create index places_prefix on places (folded);
    -- thousands of names begin with the same letters, so indexes hold those in order of size
    create index places_1_letter on places (left(folded, 1), population desc, id);
    create index places_2_letters on places (left(folded, 2), population desc, id);
    create index places_3_letters on places (left(folded, 3), population desc, id);
    create index places_point on places using gist (point(lng, lat));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table places;
    drop function distance_km(float8, float8, float8, float8);
    drop function fold_place(text);
  `);
}
