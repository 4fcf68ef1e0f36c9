import type { Knex } from 'knex';

/** For whom an ad is reserved: one person at a time. A reservation past `ends_at` has ended: reads compare the time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table reservations (
      ad_id bigint primary key references ads on delete cascade,
      user_id bigint not null references users,
      offer_id bigint references offers on delete set null,
      created_at timestamptz not null default now(),
      ends_at timestamptz not null,
      check (ends_at > created_at)
    );
    create index reservations_user on reservations (user_id);
    create index reservations_offer on reservations (offer_id) where offer_id is not null;
    create index reservations_ending on reservations (ends_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table reservations');
}
