import type { Knex } from 'knex';

/**
 * Passkeys, and the challenges that wait for one: with a person to make a passkey, without to sign in. `user_handle` is what
 * the authenticator knows the person by. A lost challenge costs another click, so their table is unlogged.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table passkeys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
      user_handle bytea not null check (octet_length(user_handle) = 32),
      public_key bytea not null check (octet_length(public_key) <= 4096),
      counter bigint not null,
      name text not null check (char_length(name) between 1 and 50),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id, id desc);

    create unlogged table passkey_challenges (
      challenge bytea primary key check (octet_length(challenge) = 32),
      user_id bigint references users on delete cascade,
      user_handle bytea check (octet_length(user_handle) = 32),
      expires_at timestamptz not null,
      check ((user_id is null) = (user_handle is null))
    );
    create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
    create index passkey_challenges_end on passkey_challenges (expires_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table passkey_challenges, passkeys');
}
