import type { Knex } from 'knex';

const BATCH = 10_000;

/** Marks the ads that have photos, in batches: it writes most rows of a big table, and sellers edit meanwhile. */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('select coalesce(max(id), 0) as last from ads');
  for (let first = 0; first <= Number(rows[0].last); first += BATCH)
    await knex.raw(
      `update ads set has_photos = true where id in (
         select id from ads
         where id >= ? and id < ? and not has_photos and exists (select from ad_images where ad_id = ads.id)
         order by id for update)`,
      [first, first + BATCH],
    );
}

export async function down(): Promise<void> {}

export const config = { transaction: false };
