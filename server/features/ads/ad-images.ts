import type { ErrorPhrase } from '../../error-phrases.ts';
import { AppError, invalid } from '../../errors.ts';

/** The error about one photo of a form. */
export const refusePhoto = (index: number, problem: ErrorPhrase) =>
  new AppError('invalid_image', { ...problem, fields: { [`imageUrls.${index}`]: problem } });

/** The images whose URLs a form contains. */
export const listNamedImages = (imageUrls: readonly string[]): string[] =>
  imageUrls.flatMap((url) => parseMediaUrl(url) ?? []);

/** Hashes of the images in a form, the cover first: URLs of images of the ad (`existing`) or of its owner. */
export const parseAdImages = (
  imageUrls: readonly string[],
  { existing, own }: { existing: readonly string[]; own: readonly string[] },
  maxImages: number,
): string[] => {
  if (imageUrls.length > Math.max(maxImages, existing.length))
    throw invalid({ imageUrls: { key: 'errors.imagesFull', values: { count: maxImages } } });
  return imageUrls.map((url, index) => {
    const sha256 = parseMediaUrl(url);
    if (sha256 === undefined || (!existing.includes(sha256) && !own.includes(sha256)))
      throw refusePhoto(index, { key: 'errors.photoUnavailable' });
    return sha256;
  });
};

/** The URL contains the hash of the bytes, so its response never changes. */
export const parseMediaUrl = (url: string): string | undefined => /^\/media\/([0-9a-f]{64})\/full\.jpg$/.exec(url)?.[1];
