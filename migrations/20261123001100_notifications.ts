import type { Knex } from 'knex';

/** Notifications of the last 90 days, written in the transactions that cause them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notifications (
      id bigint generated always as identity (start with 10001) primary key,
      user_id bigint not null references users,
      kind text not null check (kind in ('ad_approved', 'ad_rejected', 'ad_held', 'report_outcome', 'decision', 'notice')),
      title text not null check (char_length(title) between 1 and 200),
      body text not null check (char_length(body) <= 1000),
      url text check (url ~ '^/' and char_length(url) <= 500),
      is_read boolean not null default false,
      created_at timestamptz not null default now()
    );
    create index notifications_user on notifications (user_id, id desc);
    create index notifications_unread on notifications (user_id) where not is_read;
    create index notifications_created on notifications (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table notifications');
}
