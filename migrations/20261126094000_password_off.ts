import type { Knex } from 'knex';

/** When an administrator switched the password off: passkeys sign them in. Replicas of before find a hash of nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table admin_credentials add column password_off_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table admin_credentials drop column password_off_at');
}
