import type { Knex } from 'knex';

/** Rows that a pipeline could not process: they wait, so that the others go on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table set_aside (
      pipeline text not null,
      subject text not null,
      failures int not null default 1,
      error text not null check (char_length(error) <= 300),
      failed_at timestamptz not null default now(),
      retry_at timestamptz not null,
      primary key (pipeline, subject)
    );
    create table table_sizes (
      day date not null,
      table_name text not null,
      row_count bigint not null,
      primary key (day, table_name)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table table_sizes, set_aside');
}
