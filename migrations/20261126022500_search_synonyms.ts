import type { Knex } from 'knex';

/** Operators' groups of synonyms. A group of one word switches our synonyms of it off. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table search_synonyms (
      id bigint generated always as identity primary key,
      language text check (language ~ '^[a-z]{2}$'),
      words text[] not null check (cardinality(words) between 1 and 20),
      is_one_way boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      created_by bigint references users,
      check (char_length(array_to_string(words, '')) <= 1200),
      check (not is_one_way or cardinality(words) > 1),
      unique nulls not distinct (words, language, is_one_way)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table search_synonyms');
}
