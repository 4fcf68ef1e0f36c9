import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';

const UNUSED = `i.created_at < now() - interval '1 hour' and not exists (select from ad_images ai where ai.sha256 = i.sha256)`;

/** How many picture rows no ad has shown for an hour. */
export async function countUnusedImages(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: string }[] }>(`select count(*) from images i where ${UNUSED}`);
  return Number(rows[0]!.count);
}

/** Deletes up to `limit` picture rows that no ad has shown for an hour; returns their names. */
export async function deleteUnusedImages(trx: Trx, limit: number): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { sha256: string }[] }>(
    `delete from images where sha256 in (
       select i.sha256 from images i where ${UNUSED} limit ? for update skip locked)
     returning encode(sha256, 'hex') as sha256`,
    [limit],
  );
  for (const { sha256 } of rows) await publish(trx, 'images', { sha256 });
  return rows.map((row) => row.sha256);
}

/** Whether the picture exists; if so, it does until the transaction ends. */
export async function lockImageShared(trx: Trx, sha256: string): Promise<boolean> {
  const row = await trx('images')
    .where({ sha256: Buffer.from(sha256, 'hex') })
    .forKeyShare()
    .first('sha256');
  return row !== undefined;
}

/** Which of these names have a row. */
export async function findImages(db: Db, sha256s: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { sha256: string }[] }>(
    `select encode(sha256, 'hex') as sha256 from images where sha256 in (select decode(hex, 'hex') from unnest(?::text[]) hex)`,
    [[...sha256s]],
  );
  return new Set(rows.map((row) => row.sha256));
}

/** Names of pictures in their order, from behind `after` on. */
export async function pageImageNames(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { sha256: string }[] }>(
    `select encode(sha256, 'hex') as sha256 from images where sha256 > decode(?, 'hex') order by images.sha256 limit ?`,
    [after, limit],
  );
  return rows.map((row) => row.sha256);
}
