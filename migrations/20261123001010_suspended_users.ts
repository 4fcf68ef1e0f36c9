import type { Knex } from 'knex';

export const config = { transaction: false };

/** Suspended users, for the job that ends suspensions, and moderators, for the check that another one can decide an appeal. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists users_suspended on users (suspended_until) where suspended_until is not null',
  );
  await knex.raw("create index concurrently if not exists users_moderators on users (id) where role = 'moderator'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists users_moderators');
  await knex.raw('drop index if exists users_suspended');
}
