import type { Knex } from 'knex';

/**
 * Access tokens of programs. Their end is published as that of a session is, so that event streams end with them on every
 * replica.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table access_tokens (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      token_hash bytea not null unique check (octet_length(token_hash) = 32),
      last_four text not null check (last_four ~ '^[0-9A-Za-z]{4}$'),
      name text not null check (char_length(name) between 1 and 50),
      scopes text[] not null check (scopes <@ array['ads:read', 'ads:write', 'messages:read', 'messages:write', 'offers:write',
        'searches:read', 'searches:write', 'profile:read', 'profile:write', 'admin:read', 'admin:moderate']),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      check (cardinality(scopes) between 1 and 11),
      check (expires_at > created_at and expires_at <= created_at + interval '366 days')
    );
    create index access_tokens_user on access_tokens (user_id, id desc);
    create index access_tokens_end on access_tokens (expires_at);

    create trigger notify_tokens_ended after delete on access_tokens referencing old table as ended
      for each statement execute function notify_sessions_ended();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table access_tokens');
}
