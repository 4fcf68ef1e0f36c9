import type { Knex } from 'knex';

const replaceCheck = (knex: Knex, variants: string) =>
  knex.raw(`
    alter table image_blobs drop constraint image_blobs_variant_check;
    alter table image_blobs add constraint image_blobs_variant_check check (variant in (${variants})) not valid;
    alter table image_blobs validate constraint image_blobs_variant_check;
  `);

/** Images of 800 pixels for telephones. A release that does not know them reads and writes on as before. */
export async function up(knex: Knex): Promise<void> {
  await replaceCheck(knex, `'full', 'thumb', 'card', 'medium'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from image_blobs where variant = 'medium'`);
  await replaceCheck(knex, `'full', 'thumb', 'card'`);
}
