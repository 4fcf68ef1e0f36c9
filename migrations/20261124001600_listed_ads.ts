import type { Knex } from 'knex';

/**
 * listed_ads is the narrow copy of every listed ad that searches read: what filters compare and nothing else, so that it
 * stays in memory where ads does not. Triggers keep it, in the transaction of the ad.
 *
 * Its index of words needs the words of the ad, which would make the copy as wide as the ad. ad_words reads them from
 * ads; the hash, which is a part of the index, changes with the words, so a row of the copy always has the same words.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists cube;

    -- where ads are: the place on a sphere of radius 1; distances are chords
    create table ad_places (
      place_id bigint primary key references places,
      position cube not null
    );
    create index ad_places_position on ad_places using gist (position);

    create table listed_ads (
      id bigint not null,
      user_id bigint not null,
      place_id bigint,
      words bigint not null,
      x float8,
      y float8,
      z float8,
      cell integer,
      category_id smallint not null,
      is_sold boolean not null,
      has_photos boolean not null,
      price numeric(10, 2) not null,
      price_type text not null,
      condition text,
      details jsonb not null
    );

    create function ad_words(id bigint, words bigint) returns tsvector
      language sql immutable strict parallel safe cost 1000 as 'select ads.tsv from public.ads where ads.id = $1';

    -- numbers have steps of about an eighth, so that a word and a range are looked up together
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

    create view ads_to_list as
      select a.id, a.user_id, a.place_id, hashtextextended(a.tsv::text, 0) as words,
        cosd(p.lat) * cosd(p.lng) as x, cosd(p.lat) * sind(p.lng) as y, sind(p.lat) as z,
        (floor(p.lat)::integer + 90) * 360 + mod(floor(p.lng)::integer + 180, 360) as cell,
        a.category_id, a.is_sold, a.has_photos, a.price, a.price_type, a.condition,
        case when a.details = '{}' then a.details else (
          select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string'
            then to_jsonb(lower(public.unaccent('public.unaccent', value #>> '{}'))) else value end)
          from jsonb_each(a.details)
        ) end as details
      from ads a left join places p on p.id = a.place_id
      where a.listed;

    create function list_ads() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from listed_ads where id in (select id from old_ads where listed except select id from new_ads where listed);
      end if;
      insert into ad_places
        select id, cube(array[cosd(lat) * cosd(lng), cosd(lat) * sind(lng), sind(lat)]) from places
        where id in (select place_id from new_ads where listed)
          and not exists (select from ad_places where place_id = places.id)
        order by id on conflict do nothing;
      insert into listed_ads select * from ads_to_list where id in (select id from new_ads where listed) order by id
        on conflict (id) do update set
          user_id = excluded.user_id, place_id = excluded.place_id, words = excluded.words,
          x = excluded.x, y = excluded.y, z = excluded.z, cell = excluded.cell, category_id = excluded.category_id,
          is_sold = excluded.is_sold, has_photos = excluded.has_photos, price = excluded.price,
          price_type = excluded.price_type, condition = excluded.condition, details = excluded.details
        where listed_ads is distinct from excluded;
      return null;
    end $$;

    create function unlist_ads() returns trigger language plpgsql as $$
    begin
      delete from listed_ads where id in (select id from old_ads);
      return null;
    end $$;

    alter table listed_ads add primary key (id);
    create trigger list_inserted_ads after insert on ads referencing new table as new_ads
      for each statement execute function list_ads();
    create trigger list_updated_ads after update on ads referencing old table as old_ads new table as new_ads
      for each statement execute function list_ads();
    create trigger unlist_deleted_ads after delete on ads referencing old table as old_ads
      for each statement execute function unlist_ads();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger list_inserted_ads on ads;
    drop trigger list_updated_ads on ads;
    drop trigger unlist_deleted_ads on ads;
    drop function list_ads, unlist_ads;
    drop view ads_to_list;
    drop table listed_ads, ad_places;
    drop function ad_words, ad_facets;
    drop extension cube;
  `);
}
