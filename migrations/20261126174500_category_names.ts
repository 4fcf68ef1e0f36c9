import type { Knex } from 'knex';

/** What administrators call categories in further languages. Replicas of the previous release show the first name. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table category_names (
      category_id smallint not null references categories on delete cascade,
      language text not null check (length(language) <= 20),
      name text not null check (char_length(name) between 1 and 50),
      primary key (category_id, language)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table category_names');
}
