import type { Knex } from 'knex';

/** A keyed hash of the address block that a report came from, while its case is open. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table reports add address_hash bytea');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table reports drop column address_hash');
}
