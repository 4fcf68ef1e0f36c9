import type { Knex } from 'knex';

/** Ways back in for who can reach neither X nor a passkey. Hashes only: a copy of the tables opens nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table recovery_codes (
      user_id bigint not null references users on delete cascade,
      code_hash bytea not null check (octet_length(code_hash) = 32),
      created_at timestamptz not null default now(),
      primary key (user_id, code_hash)
    );
    create table recovery_links (
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      user_id bigint not null references users on delete cascade,
      -- where it was mailed: it opens nothing once the person has another address
      address text check (length(address) <= 254),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index recovery_links_user on recovery_links (user_id);
    create index recovery_links_end on recovery_links (expires_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table recovery_links, recovery_codes');
}
