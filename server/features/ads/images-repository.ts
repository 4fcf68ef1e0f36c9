import type { Db, Trx } from '../../db/pools.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';
import type { ImageStore } from '../../integrations/storage/storage.ts';

/** A picture of an ad: one that it had, or a new one with its bytes. */
export type AdImage = { sha256: string; image?: ProcessedImage };

/** Hashes of an ad's pictures, the cover first. */
export const listAdImages = async (db: Db, adId: string): Promise<string[]> => {
  const rows = await db<{ ad_id: string; sha256: Buffer; position: number }>('ad_images')
    .where({ ad_id: adId })
    .orderBy('position')
    .select('sha256');
  return rows.map((row) => row.sha256.toString('hex'));
};

/**
 * Keeps new pictures, and does `beside` while their bytes are stored. One that exists is touched, so that the collector of
 * unused ones leaves it alone.
 */
export const putImages = async (
  trx: Trx,
  store: ImageStore,
  images: readonly ProcessedImage[],
  beside: () => Promise<unknown> = async () => {},
): Promise<void> => {
  // each once, in one order: two transactions with the same pictures must not wait for each other
  const distinct = [...new Map(images.map((image) => [image.sha256, image])).values()];
  const sorted = distinct.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const rows = sorted.map(({ sha256, width, height, color }) => ({
    sha256: Buffer.from(sha256, 'hex'),
    width,
    height,
    color,
  }));
  if (rows.length > 0) await trx('images').insert(rows).onConflict('sha256').merge({ created_at: trx.fn.now() });
  const variants = sorted.flatMap(({ sha256, full, thumb }) => [
    { sha256, variant: 'full' as const, bytes: full },
    { sha256, variant: 'thumb' as const, bytes: thumb },
  ]);
  await Promise.all([store.put(trx, variants), beside()]);
};

/** Gives an ad that has no pictures these, in this order. */
export const addAdImages = async (
  trx: Trx,
  store: ImageStore,
  adId: string,
  pictures: readonly AdImage[],
): Promise<void> => {
  const rows = pictures.map(({ sha256 }, position) => ({ ad_id: adId, position, sha256: Buffer.from(sha256, 'hex') }));
  const images = pictures.flatMap(({ image }) => image ?? []);
  if (rows.length > 0) await putImages(trx, store, images, async () => trx('ad_images').insert(rows));
};

/** Makes these the ad's pictures, in this order. */
export const replaceAdImages = async (
  trx: Trx,
  store: ImageStore,
  adId: string,
  pictures: readonly AdImage[],
): Promise<void> => {
  await trx('ad_images').where({ ad_id: adId }).delete();
  await addAdImages(trx, store, adId, pictures);
};
