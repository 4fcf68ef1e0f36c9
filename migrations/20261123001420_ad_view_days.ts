import type { Knex } from 'knex';

/** An ad's views on each day of the site's time zone, for its owner. Views before this release are in ad_views only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ad_view_days (
      ad_id bigint not null references ads on delete cascade,
      day date not null,
      views integer not null check (views > 0),
      primary key (ad_id, day)
    );
    create index ad_view_days_day on ad_view_days (day);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ad_view_days');
}
