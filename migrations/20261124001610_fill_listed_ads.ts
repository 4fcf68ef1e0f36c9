import type { Knex } from 'knex';

const BATCH = 20_000;

/**
 * Copies the listed ads, and where they are, in batches. An ad that changes meanwhile is copied by the trigger: its row is
 * locked or newer.
 */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('select coalesce(max(id), 0) as last from ads');
  for (let first = 0; first <= Number(rows[0].last); first += BATCH)
    await knex.raw(
      `with batch as materialized (
         select id from ads where id >= ? and id < ? and listed order by id for share
       ), placed as (
         insert into ad_places
         select id, cube(array[cosd(lat) * cosd(lng), cosd(lat) * sind(lng), sind(lat)]) from places
         where id in (select place_id from ads where id in (select id from batch))
         order by id on conflict do nothing
       )
       insert into listed_ads select * from ads_to_list where id in (select id from batch) order by id
       on conflict do nothing`,
      [first, first + BATCH],
    );
}

export async function down(): Promise<void> {}

export const config = { transaction: false };
