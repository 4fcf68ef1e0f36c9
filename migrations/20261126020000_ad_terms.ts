import type { Knex } from 'knex';

/**
 * ad_terms has what the search knows of an ad: its words, made by the application, and their stems. An ad whose row is
 * empty is found by the words that PostgreSQL made of it, ads.tsv, until a job has read it. So the old words and the new
 * ones are in one index, and a replica of the previous release finds what it looks for: terms contain the words of tsv.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ad_terms (
      ad_id bigint primary key references ads on delete cascade,
      -- by which rules and languages the words were made; empty: not yet
      rules text not null default '',
      terms tsvector,
      check ((rules = '') = (terms is null))
    );
    create index ad_terms_rules on ad_terms (rules, ad_id);

    create function search_stems(words text[], dictionaries text[]) returns text[]
      language sql stable strict parallel safe as $$
      select array(
        select distinct stem
        from unnest(words) word, unnest(dictionaries) dictionary, unnest(ts_lexize(dictionary::regdictionary, word)) stem
      )
    $$;

    create function hash_terms(terms tsvector) returns bigint
      language sql immutable strict parallel safe return hashtextextended(terms::text, 0);

    create or replace function ad_words(id bigint, words bigint) returns tsvector
      language sql immutable strict parallel safe cost 1000 as $$
      select coalesce(t.terms, a.tsv) from public.ads a left join public.ad_terms t on t.ad_id = a.id where a.id = $1
    $$;

    -- only words: what begins otherwise says where in the ad a word is
    create or replace function ad_priced_words(id bigint, words bigint, price numeric) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
      select array(
        select word || '~' || floor(ln(price::float8 + 1) * 3)
        from unnest(tsvector_to_array(public.ad_words($1, $2))) word
        where left(word, 1) <> all ('{=,~,^,@,#}')
      )
    $$;

    create or replace view ads_to_list as
      select a.id, a.user_id, a.place_id, hash_terms(coalesce(t.terms, a.tsv)) as words,
        cosd(p.lat) * cosd(p.lng) as x, cosd(p.lat) * sind(p.lng) as y, sind(p.lat) as z,
        (floor(p.lat)::integer + 90) * 360 + mod(floor(p.lng)::integer + 180, 360) as cell,
        a.category_id, a.is_sold, a.has_photos, a.price, a.price_type, a.condition,
        case when a.details = '{}' then a.details else (
          select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string'
            then to_jsonb(lower(public.unaccent('public.unaccent', value #>> '{}'))) else value end)
          from jsonb_each(a.details)
        ) end as details
      from ads a left join places p on p.id = a.place_id left join ad_terms t on t.ad_id = a.id
      where a.listed;

    create function begin_ad_terms() returns trigger language plpgsql as $$
    begin
      insert into ad_terms (ad_id) values (new.id) on conflict do nothing;
      return null;
    end $$;
    create trigger begin_ad_terms after insert on ads for each row execute function begin_ad_terms();

    -- an update of the texts empties the terms; the application then writes new ones, or the job does
    create function empty_ad_terms() returns trigger language plpgsql as $$
    begin
      if new.state = 'deleted' then
        delete from ad_terms where ad_id = new.id;
      else
        update ad_terms set rules = '', terms = null where ad_id = new.id and rules <> '';
      end if;
      return null;
    end $$;
    create trigger empty_ad_terms after update of title, description, category_id, details on ads for each row
      when ((old.title, old.description, old.category_id, old.details)
        is distinct from (new.title, new.description, new.category_id, new.details))
      execute function empty_ad_terms();

    -- the index of words follows the hash
    create function list_ad_terms() returns trigger language plpgsql as $$
    begin
      update listed_ads l set words = fresh.words
      from (
        select n.ad_id, hash_terms(coalesce(n.terms, a.tsv)) as words from new_terms n join ads a on a.id = n.ad_id
      ) fresh
      where l.id = fresh.ad_id and l.words <> fresh.words;
      return null;
    end $$;
    create trigger list_ad_terms after update on ad_terms referencing new table as new_terms
      for each statement execute function list_ad_terms();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger begin_ad_terms on ads;
    drop trigger empty_ad_terms on ads;
    -- the index follows the hash: the ads get the words of tsv again
    update ad_terms set rules = '', terms = null where rules <> '';
    create or replace function ad_words(id bigint, words bigint) returns tsvector
      language sql immutable strict parallel safe cost 1000 as 'select ads.tsv from public.ads where ads.id = $1';
    create or replace function ad_priced_words(id bigint, words bigint, price numeric) returns text[]
      language sql immutable strict parallel safe cost 1000 as $$
      select array(
        select stem || '~' || floor(ln(price::float8 + 1) * 3)
        from unnest(tsvector_to_array((select ads.tsv from public.ads where ads.id = $1))) stem
      )
    $$;
    create or replace view ads_to_list as
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
    drop table ad_terms;
    drop function begin_ad_terms, empty_ad_terms, list_ad_terms, search_stems, hash_terms;
  `);
}
