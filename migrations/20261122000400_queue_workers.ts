import type { Knex } from 'knex';

/** Processes that work on the queue, each with a number that goes up while it lives: those that fall silent lose their jobs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table queue_workers (
      id text primary key,
      beats bigint not null default 0
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table queue_workers');
}
