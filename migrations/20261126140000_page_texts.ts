import type { Knex } from 'knex';

/** The texts of pages, a row for each version. Replicas of the previous release show the built-in ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table page_texts (
      id bigint generated always as identity primary key,
      page text not null
        check (page in ('terms-of-service', 'privacy', 'safety-tips', 'how-it-works', 'contact', 'imprint')),
      language text not null check (length(language) <= 20),
      -- null: from here on the built-in text
      body text check (length(body) <= 100000),
      created_at timestamptz not null default now(),
      created_by bigint references users on delete set null
    );
    create index page_texts_versions on page_texts (page, language, id);
    create index page_texts_created_by on page_texts (created_by);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table page_texts');
}
