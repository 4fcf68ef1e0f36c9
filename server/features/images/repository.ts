import type { Knex } from 'knex';
import { publish } from '../../db/events.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';

/** A sweep takes seconds. After ten minutes it must have crashed, and its marks expire. */
const ABANDONED = "deleting_at < now() - interval '10 minutes'";

const UNUSED = `i.created_at < now() - interval '1 hour' and (i.deleting_at is null or i.${ABANDONED})
  and not exists (select from ad_images ai where ai.sha256 = i.sha256)
  and not exists (select from case_images ci where ci.sha256 = i.sha256)
  and not exists (select from photos p where p.sha256 = i.sha256)
  and not exists (select from message_photos mp where mp.sha256 = i.sha256)
  and not exists (select from users u where u.avatar_sha256 = i.sha256)`;

/** The hashes, as hex digits, of a statement that returns `name`. */
const readNames = async (db: Db, sql: string, bindings: readonly Knex.RawBinding[]): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(sql, bindings);
  return rows.map(({ name }) => name);
};

export interface ImageOptions {
  /** No public address serves it. */
  isPrivate?: boolean;
}

/**
 * Inserts the rows of new images. Touches the row of an existing image, so that the sweep spares it for an hour.
 * Returns the names that now have a row; a sweep is deleting the others.
 */
export async function registerImages(
  db: Db,
  images: readonly ProcessedImage[],
  { isPrivate = false }: ImageOptions = {},
): Promise<Set<string>> {
  // sorted, so that two uploads of the same images cannot deadlock
  const names = await readNames(
    db,
    `insert into images (sha256, width, height, color, is_private)
     select decode(hex, 'hex'), width, height, color, ?
     from unnest(?::text[], ?::int[], ?::int[], ?::text[]) as image (hex, width, height, color) order by hex
     on conflict (sha256) do update set created_at = now(), deleting_at = null,
       width = excluded.width, height = excluded.height, color = excluded.color
     where images.deleting_at is null or images.${ABANDONED}
     returning encode(sha256, 'hex') as name`,
    [
      isPrivate,
      images.map(({ sha256 }) => sha256),
      images.map(({ width }) => width),
      images.map(({ height }) => height),
      images.map(({ color }) => color),
    ],
  );
  return new Set(names);
}

export const countUnusedImages = (db: Db): Promise<number> => countRows(db('images as i').whereRaw(UNUSED));

export const markUnusedImages = (db: Db, limit: number): Promise<string[]> =>
  readNames(
    db,
    `update images set deleting_at = now() where sha256 in (
       select i.sha256 from images i where ${UNUSED} limit ? for update skip locked)
     returning encode(sha256, 'hex') as name`,
    [limit],
  );

/** Marks the names that have no row for deletion, by a row without content; returns them. */
export const markOrphans = (db: Db, sha256s: readonly string[]): Promise<string[]> =>
  readNames(
    db,
    `insert into images (sha256, width, height, color, deleting_at)
     select decode(hex, 'hex'), 1, 1, '#000000', now() from unnest(?::text[]) hex order by hex
     on conflict do nothing
     returning encode(sha256, 'hex') as name`,
    [[...sha256s]],
  );

/** Deletes the rows of marked images, with bytes in the database, and notifies the caches of every replica. */
export async function deleteMarkedImages(trx: Trx, sha256s: readonly string[]): Promise<void> {
  const names = await readNames(
    trx,
    `delete from images i where deleting_at is not null
       and sha256 in (select decode(hex, 'hex') from unnest(?::text[]) hex)
       and not exists (select from ad_images ai where ai.sha256 = i.sha256)
       and not exists (select from case_images ci where ci.sha256 = i.sha256)
       and not exists (select from photos p where p.sha256 = i.sha256)
       and not exists (select from message_photos mp where mp.sha256 = i.sha256)
       and not exists (select from users u where u.avatar_sha256 = i.sha256)
     returning encode(sha256, 'hex') as name`,
    [[...sha256s]],
  );
  for (const sha256 of names) await publish(trx, 'images', { sha256 });
}

export async function findImages(db: Db, sha256s: readonly string[]): Promise<Set<string>> {
  const names = await readNames(
    db,
    `select encode(sha256, 'hex') as name from images
     where sha256 in (select decode(hex, 'hex') from unnest(?::text[]) hex) and deleting_at is null`,
    [[...sha256s]],
  );
  return new Set(names);
}

export const isPublicImage = async (db: Db, sha256: string): Promise<boolean> => {
  const names = await readNames(
    db,
    `select encode(sha256, 'hex') as name from images
     where sha256 = decode(?, 'hex') and deleting_at is null and not is_private`,
    [sha256],
  );
  return names.length > 0;
};

export const pageImageNames = (db: Db, after: string, limit: number): Promise<string[]> =>
  readNames(
    db,
    `select encode(sha256, 'hex') as name from images
     where sha256 > decode(?, 'hex') and deleting_at is null order by images.sha256 limit ?`,
    [after, limit],
  );
