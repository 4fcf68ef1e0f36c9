import type { Knex } from 'knex';

/** Extensions, and the text search configurations: English stems, and whole words, both blind to accents and case. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists btree_gin;
    create extension if not exists pg_trgm;
    create extension if not exists unaccent;

    create text search configuration tradepost_stems (copy = pg_catalog.english);
    alter text search configuration tradepost_stems
      alter mapping for hword, hword_part, word with unaccent, english_stem;

    create text search configuration tradepost_words (copy = pg_catalog.simple);
    alter text search configuration tradepost_words
      alter mapping for hword, hword_part, word with unaccent, simple;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop text search configuration tradepost_words;
    drop text search configuration tradepost_stems;
  `);
}
