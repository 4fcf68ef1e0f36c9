import type { Knex } from 'knex';

/** How many ads have the words of a search is asked by stem, before it is decided how they are looked for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index search_words_stem on search_words (stem)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index search_words_stem');
}
