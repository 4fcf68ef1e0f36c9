import type { Knex } from 'knex';

/** The VAPID keys that identify this site to push services. One row, written once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table push_keys (
      is_only boolean primary key default true check (is_only),
      public_key text not null check (length(public_key) = 87),
      private_key text not null check (length(private_key) = 43),
      created_at timestamptz not null default now()
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table push_keys');
}
