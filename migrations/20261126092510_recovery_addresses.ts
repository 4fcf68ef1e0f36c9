import type { Knex } from 'knex';

export const config = { transaction: false };

/** Accounts by their address, for whoever asks for a link. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists email_addresses_address on email_addresses (lower(address)) where address is not null',
  );
  await knex.raw(
    'create index concurrently if not exists users_x_address on users (lower(email)) where x_id is not null and email is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists email_addresses_address');
  await knex.raw('drop index if exists users_x_address');
}
