import type { Knex } from 'knex';

/** What running a marketplace needs: settings, audit log, contact form, visits, idempotency, rate limits, posts to X. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table settings (
      key text primary key,
      value jsonb not null,
      updated_at timestamptz not null default now(),
      updated_by bigint references users
    );

    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor_id bigint references users,
      actor text not null,
      action text not null,
      target_type text,
      target_id text,
      details jsonb not null default '{}',
      request_id text
    );
    create index audit_log_action on audit_log (action, id desc);
    create index audit_log_actor on audit_log (actor, id desc);

    create table contact_messages (
      id bigint generated always as identity (start with 10001) primary key,
      name text not null check (char_length(name) between 1 and 100),
      email text not null check (char_length(email) between 3 and 254),
      subject text not null check (char_length(subject) between 1 and 200),
      message text not null check (char_length(message) between 1 and 5000),
      user_id bigint references users,
      created_at timestamptz not null default now(),
      mailed_at timestamptz
    );

    create table visits (
      id bigint generated always as identity primary key,
      day date not null,
      visitor bytea not null,
      started_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      pages integer not null default 1
    );
    create index visits_visitor on visits (visitor, last_at desc);
    create index visits_started on visits (started_at);

    create table idempotency_keys (
      scope text not null,
      key text not null,
      endpoint text not null,
      body_hash bytea not null,
      status smallint,
      reply jsonb,
      created_at timestamptz not null default now(),
      primary key (scope, key)
    );
    create index idempotency_keys_created on idempotency_keys (created_at);

    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);

    create table x_posts (
      id bigint generated always as identity (start with 10001) primary key,
      user_id bigint not null references users,
      kind text not null check (kind in ('ad', 'favorite')),
      ad_id bigint not null references ads,
      body text not null,
      status text not null default 'pending'
        check (status in ('pending', 'sending', 'posted', 'failed', 'skipped', 'unknown')),
      attempts smallint not null default 0,
      x_post_id text,
      error text,
      transaction_id text,
      cost_usd numeric(8, 4) not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, kind, ad_id)
    );
    create index x_posts_ad on x_posts (ad_id);
    create index x_posts_status on x_posts (status, id);
    create index x_posts_user_day on x_posts (user_id, created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table x_posts, rate_limits, idempotency_keys, visits, contact_messages, audit_log, settings');
}
