import type { Knex } from 'knex';

/**
 * What places are called in other languages, folded by `foldName`. Country, ads and population are those of the place,
 * so that an index holds the names that begin with the same letters in order of size.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table place_names (
      place_id bigint not null references places on delete cascade,
      folded text collate "C" not null check (length(folded) between 1 and 200),
      country text not null,
      ads integer not null,
      population integer not null,
      primary key (place_id, folded)
    );
    create index place_names_prefix on place_names (folded);
    create index place_names_1_letter on place_names (left(folded, 1), ads desc, population desc, place_id);
    create index place_names_2_letters on place_names (left(folded, 2), ads desc, population desc, place_id);
    create index place_names_of_country on place_names (country, folded);

    create function copy_place_to_names() returns trigger language plpgsql as $$
      begin
        update place_names set country = new.country, ads = new.ads, population = new.population
        where place_id = new.id;
        return null;
      end;
    $$;
    create trigger copy_place_to_names after update of country, ads, population on places
      for each row when ((old.country, old.ads, old.population) is distinct from (new.country, new.ads, new.population))
      execute function copy_place_to_names();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger copy_place_to_names on places;
    drop function copy_place_to_names();
    drop table place_names;
  `);
}
