import type { Knex } from 'knex';

/**
 * Former prices of ads, with the time at which each ended, and the drops that they show. `old_price` is null after a
 * rise ended the drop; the row stays for the time of the last notifications. A drop `is_new` until people who saved the
 * ad are notified, in batches in the order of their ids; `delivered_to` is how far the running delivery has come.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ad_prices (
      id bigint generated always as identity primary key,
      ad_id bigint not null references ads,
      price numeric(10, 2) not null check (price >= 0 and price <> 'NaN'),
      ended_at timestamptz not null default now()
    );
    create index ad_prices_ad on ad_prices (ad_id, ended_at);
    create index ad_prices_ended on ad_prices (ended_at);

    create table price_drops (
      ad_id bigint primary key references ads,
      old_price numeric(10, 2) check (old_price > 0 and old_price <> 'NaN'),
      dropped_at timestamptz,
      is_new boolean not null default false,
      delivered_to bigint check (delivered_to >= 0),
      begun_at timestamptz,
      finished_at timestamptz,
      check ((old_price is null) = (dropped_at is null)),
      check (not is_new or old_price is not null),
      check (delivered_to is null or begun_at is not null)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table price_drops, ad_prices');
}
