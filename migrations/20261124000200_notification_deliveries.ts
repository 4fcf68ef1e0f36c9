import type { Knex } from 'knex';

/**
 * What leaves the product about a notification: one row per channel. `attempts` counts those that began. `updated_at`
 * says since when a row is `sending`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notification_deliveries (
      notification_id bigint not null references notifications on delete cascade,
      channel text not null check (channel in ('email', 'push')),
      status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'skipped', 'failed')),
      attempts smallint not null default 0 check (attempts between 0 and 6),
      error text check (char_length(error) between 1 and 300),
      next_attempt_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (notification_id, channel),
      check (status <> 'sending' or attempts > 0)
    );
    create index notification_deliveries_open on notification_deliveries (channel, notification_id)
      where status in ('waiting', 'sending');

    create table mail_slots (
      lane text primary key check (lane in ('all', 'bulk')),
      next_at timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table mail_slots; drop table notification_deliveries');
}
