import type { Knex } from 'knex';

/** An address opens the account only if its person, signed in, opened the link. Those of before keep what they could do. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table email_addresses add column opens_account boolean not null default true');
  await knex.raw('alter table email_addresses alter column opens_account set default false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table email_addresses drop column opens_account');
}
