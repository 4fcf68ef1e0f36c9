import type { Knex } from 'knex';

/** The language that a person has chosen; null: the site speaks as their browser is set. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add language text,
      add constraint users_language_check check (length(language) <= 20) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column language');
}
