import type { Knex } from 'knex';

/** Marks the ads that have photos. In a migration of its own, because it writes most rows of a big table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update ads set has_photos = true
    where not has_photos and exists (select from ad_images where ad_id = ads.id);
  `);
}

export async function down(): Promise<void> {}
