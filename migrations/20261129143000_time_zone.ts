import type { Knex } from 'knex';

/** The time zone of the browser that the person used last. What is sent to them names days and times in it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add time_zone text,
      add constraint users_time_zone_check check (length(time_zone) <= 50) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column time_zone');
}
