import type { Knex } from 'knex';

/** What the outbox must remember between two attempts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table x_posts
      add column is_ambiguous boolean not null default false,
      add column next_attempt_at timestamptz;
    create index x_posts_open on x_posts (updated_at) where status in ('pending', 'sending');
    create index x_posts_ad_day on x_posts (ad_id, created_at) where kind = 'favorite';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index x_posts_open, x_posts_ad_day;
    alter table x_posts drop column is_ambiguous, drop column next_attempt_at;
  `);
}
