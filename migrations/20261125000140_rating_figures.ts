import type { Knex } from 'knex';

/** The public ratings of a person that count, and how many of them are good. Not valid: no old row needs the check. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add rated_deals integer not null default 0,
      add rated_good integer not null default 0,
      add constraint users_rated_check check (rated_good between 0 and rated_deals) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table users drop constraint users_rated_check, drop column rated_good, drop column rated_deals',
  );
}
