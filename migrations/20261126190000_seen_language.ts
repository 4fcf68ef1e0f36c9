import type { Knex } from 'knex';

/** The language of the browser that signed in last, for mails to a person who has chosen none. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add seen_language text,
      add constraint users_seen_language_check check (length(seen_language) <= 20) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column seen_language');
}
