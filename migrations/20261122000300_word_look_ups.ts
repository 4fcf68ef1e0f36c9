import type { Knex } from 'knex';

/**
 * The thousands of words that begin with one letter are kept in order of frequency: sorting them was a quarter of a
 * suggestion's time. The index of misspelt words keeps no list of what is pending: each look-up read all of it, 10 ms once
 * the words were counted, until a vacuum came.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index search_words_letter on search_words (left(word, 1), ads desc, word);
    drop index search_words_typo;
    create index search_words_typo on search_words using gin (word gin_trgm_ops) with (fastupdate = off);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index search_words_letter, search_words_typo;
    create index search_words_typo on search_words using gin (word gin_trgm_ops);
  `);
}
