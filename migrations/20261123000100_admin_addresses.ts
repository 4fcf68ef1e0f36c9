import type { Knex } from 'knex';

/** Addresses, as keyed hashes, from which an administrator has signed in: failures elsewhere do not slow sign-ins there. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table admin_addresses (
      user_id bigint not null references admin_credentials on delete cascade,
      address_hash bytea not null check (octet_length(address_hash) = 32),
      last_at timestamptz not null default now(),
      primary key (user_id, address_hash)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table admin_addresses');
}
