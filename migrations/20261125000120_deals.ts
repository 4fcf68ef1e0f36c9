import type { Knex } from 'knex';

/**
 * Sales to a person. An ad has one deal at a time: `closed_at` is when the ad came back on the market after one of the two had rated
 * the deal, which therefore stays. Until `ends_at` both may rate and the buyer may undo it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deals (
      id bigint generated always as identity primary key,
      ad_id bigint not null references ads on delete cascade,
      seller_id bigint not null references users,
      buyer_id bigint not null references users,
      created_at timestamptz not null default now(),
      ends_at timestamptz not null,
      closed_at timestamptz,
      check (seller_id <> buyer_id),
      check (ends_at > created_at)
    );
    create unique index deals_current on deals (ad_id) where closed_at is null;
    create index deals_ad on deals (ad_id, id desc);
    create index deals_buyer on deals (buyer_id, id desc);
    create index deals_seller on deals (seller_id, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table deals');
}
