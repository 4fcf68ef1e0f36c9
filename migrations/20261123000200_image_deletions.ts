import type { Knex } from 'knex';

/**
 * When a sweep began to delete the image. Its objects are deleted outside of any transaction, so uploads of the same bytes
 * wait until the row is gone. A release that does not know the column inserts and deletes rows as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table images add column deleting_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table images drop column deleting_at');
}
