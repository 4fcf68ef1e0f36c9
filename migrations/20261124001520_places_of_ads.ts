import type { Knex } from 'knex';

/** An ad refers to a place of the table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table ads add constraint ads_place_exists foreign key (place_id) references places not valid');
  await knex.raw('alter table ads validate constraint ads_place_exists');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table ads drop constraint ads_place_exists');
}
