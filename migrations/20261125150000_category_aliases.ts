import type { Knex } from 'knex';

/** The former slugs and names of categories, in lower case. Replicas of the previous release neither read nor write them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table category_aliases (
      word text primary key check (word <> ''),
      category_id smallint not null references categories on delete cascade
    );
    create index category_aliases_category on category_aliases (category_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table category_aliases');
}
