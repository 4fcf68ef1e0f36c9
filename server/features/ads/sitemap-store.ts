import type { Db } from '../../db/connect.ts';

export interface SitemapRow {
  id: string;
  updated_at: string;
}

/** Ids from `first` on that one sitemap file covers. Files are cut by id, so that none ever changes its place. */
export const SITEMAP_IDS = 40_000;

/** First ids of the files that hold a listed ad at all. */
export async function listSitemapFiles(db: Db): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { last: string | null; first: string | null }[] }>(
    'select max(id) as last, min(id) as first from ads where listed',
  );
  const { first, last } = rows[0] ?? {};
  if (!first || !last) return [];
  const begin = Math.floor(Number(first) / SITEMAP_IDS);
  return Array.from({ length: Math.floor(Number(last) / SITEMAP_IDS) - begin + 1 }, (_, i) => begin + i);
}

export const listSitemapAds = (db: Db, file: number): Promise<SitemapRow[]> =>
  db('ads')
    .where('listed', true)
    .whereBetween('id', [file * SITEMAP_IDS, (file + 1) * SITEMAP_IDS - 1])
    .orderBy('id', 'desc')
    .select<SitemapRow[]>('id', 'updated_at');
