import type { Knex } from 'knex';

/** Compounds are found by their last part. Concurrently, because the table may be big. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists search_words_end');
  await knex.raw('create index concurrently search_words_end on search_words (reverse(word) text_pattern_ops, ads)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists search_words_end');
}

export const config = { transaction: false };
