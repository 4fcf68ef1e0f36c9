import type { Knex } from 'knex';

/** Browsers that receive push notifications. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table push_subscriptions (
      id bigint generated always as identity primary key,
      user_id bigint not null references users,
      -- the session that subscribed: it may have expired since, and a backup contains no sessions
      session_hash bytea check (octet_length(session_hash) = 32),
      endpoint text not null unique check (endpoint ~ '^(http|https)://[!-~]+$' and length(endpoint) <= 1000),
      p256dh bytea not null check (octet_length(p256dh) = 65),
      auth bytea not null check (octet_length(auth) = 16),
      created_at timestamptz not null default now()
    );
    create index push_subscriptions_newest on push_subscriptions (user_id, created_at desc, id desc);
    create index push_subscriptions_session on push_subscriptions (session_hash);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table push_subscriptions');
}
