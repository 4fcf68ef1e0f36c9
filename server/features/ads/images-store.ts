import type { ImageStore } from '../../adapters/image-store/image-store.ts';
import type { ProcessedImage } from '../../adapters/images.ts';
import type { Db, Trx } from '../../db/connect.ts';

/** A picture of an ad: one that it had, or a new one with its bytes. */
export type Picture = { sha256: string; image?: ProcessedImage };

/** Hashes of an ad's pictures, the cover first. */
export const listPictures = async (db: Db, adId: string): Promise<string[]> => {
  const rows = await db<{ ad_id: string; sha256: Buffer; position: number }>('ad_images')
    .where({ ad_id: adId })
    .orderBy('position')
    .select('sha256');
  return rows.map((row) => row.sha256.toString('hex'));
};

/** Keeps new pictures. One that exists is touched, so that the collector of unused ones leaves it alone. */
export const putImages = async (trx: Trx, store: ImageStore, images: readonly ProcessedImage[]): Promise<void> => {
  for (const image of images.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
    const { sha256, width, height, color } = image;
    await trx('images')
      .insert({ sha256: Buffer.from(sha256, 'hex'), width, height, color })
      .onConflict('sha256')
      .merge({ created_at: trx.fn.now() });
    await store.put(trx, { sha256, variant: 'full' }, image.full);
    await store.put(trx, { sha256, variant: 'thumb' }, image.thumb);
  }
};

/** Makes these the ad's pictures, in this order. */
export const replacePictures = async (
  trx: Trx,
  store: ImageStore,
  adId: string,
  pictures: readonly Picture[],
): Promise<void> => {
  await putImages(
    trx,
    store,
    pictures.flatMap(({ image }) => image ?? []),
  );
  await trx('ad_images').where({ ad_id: adId }).delete();
  if (pictures.length === 0) return;
  const rows = pictures.map(({ sha256 }, position) => ({ ad_id: adId, position, sha256: Buffer.from(sha256, 'hex') }));
  await trx('ad_images').insert(rows);
};
