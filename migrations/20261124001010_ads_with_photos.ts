import type { Knex } from 'knex';

const BATCH = 10_000;

/**
 * Replicas of the release before write images, not `has_photos`, so triggers keep it. An edit replaces all images: only
 * the commit shows whether none is left.
 */
const TRIGGERS = `
  create or replace function mark_photos() returns trigger language plpgsql as $$
  begin
    update ads set has_photos = true where id in (select ad_id from new_images) and not has_photos;
    return null;
  end $$;

  create or replace function unmark_photos() returns trigger language plpgsql as $$
  begin
    update ads set has_photos = false
      where id = old.ad_id and has_photos and not exists (select from ad_images where ad_id = old.ad_id);
    return null;
  end $$;

  drop trigger if exists mark_photos on ad_images;
  create trigger mark_photos after insert on ad_images referencing new table as new_images
    for each statement execute function mark_photos();
  drop trigger if exists unmark_photos on ad_images;
  create constraint trigger unmark_photos after delete on ad_images deferrable initially deferred
    for each row execute function unmark_photos();
`;

/** Marks the ads that have photos, in batches: it writes most rows of a big table, and sellers edit meanwhile. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TRIGGERS);
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger mark_photos on ad_images;
    drop trigger unmark_photos on ad_images;
    drop function mark_photos, unmark_photos;
  `);
}

export const config = { transaction: false };
