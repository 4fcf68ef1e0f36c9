import type { Knex } from 'knex';

/** A user who is deleted while suspended stays shut out until the suspension ends. Null: for a ban, which does not end. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table banned_x_accounts add column ends_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from banned_x_accounts where ends_at is not null;
    alter table banned_x_accounts drop column ends_at;
  `);
}
