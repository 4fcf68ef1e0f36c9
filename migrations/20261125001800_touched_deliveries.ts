import type { Knex } from 'knex';

/** For the sweep, which looks for open deliveries by the time of their last change. Concurrently: delivery goes on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists notification_deliveries_touched');
  await knex.raw(`
    create index concurrently notification_deliveries_touched
      on notification_deliveries (greatest(updated_at, next_attempt_at)) where status in ('waiting', 'sending')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists notification_deliveries_touched');
}

export const config = { transaction: false };
