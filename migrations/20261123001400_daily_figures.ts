import type { Knex } from 'knex';

/**
 * What happened on each day of the site's time zone, counted by a job. Visits are deleted after some months and counting a
 * year of messages takes too long for a request. Sums have decimals, counts have none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table daily_figures (
      kind text not null check (kind in ('signups', 'ads', 'messages', 'visits', 'sold', 'revenue', 'reports')),
      day date not null,
      value numeric(16, 2) not null check (value >= 0),
      counted_at timestamptz not null,
      primary key (kind, day)
    );
    create index reports_created on reports (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index reports_created; drop table daily_figures');
}
