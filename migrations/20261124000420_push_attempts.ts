import type { Knex } from 'knex';

/** Committed before a push is sent, so that a browser receives each notification at most once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table push_attempts (
      notification_id bigint not null references notifications on delete cascade,
      subscription_id bigint not null references push_subscriptions on delete cascade,
      primary key (notification_id, subscription_id)
    );
    create index push_attempts_subscription on push_attempts (subscription_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table push_attempts');
}
