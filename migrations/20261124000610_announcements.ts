import type { Knex } from 'knex';

/**
 * The announcement of new ads to the followers of their seller: at most one an hour. It is delivered in batches, in the
 * order of the followers' ids; `delivered_to` is how far the running one has come, so that an interrupted announcement
 * continues there. Ads wait in ads_to_announce; those of the running announcement have `is_begun`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table announcements (
      seller_id bigint primary key references users,
      delivered_to bigint check (delivered_to >= 0),
      begun_at timestamptz,
      finished_at timestamptz,
      check (delivered_to is null or begun_at is not null)
    );

    create table ads_to_announce (
      ad_id bigint primary key references ads,
      seller_id bigint not null references users,
      is_begun boolean not null default false
    );
    create index ads_to_announce_seller on ads_to_announce (seller_id, ad_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ads_to_announce, announcements');
}
