import type { Knex } from 'knex';

/** Checks the roles of existing users after the constraint is in force, so that the scan does not lock the table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table users validate constraint users_role_check');
}

export async function down(): Promise<void> {
  // a constraint stays valid
}
