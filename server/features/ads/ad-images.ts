import type { AppContext } from '../../app-context.ts';
import { AppError, invalid } from '../../errors.ts';
import type { Upload } from '../../integrations/images/worker.ts';
import { storeImages } from '../images/files.ts';

export type Uploads = Record<number, Upload>;

export type StoredUploads = Record<number, { sha256: string } | { problem: string }>;

/**
 * Stores the images of a form before the ad's transaction. Stores none if one has a problem, because the ad will be
 * refused.
 */
export const storeUploads = async (
  ctx: Pick<AppContext, 'db' | 'imageStore'>,
  uploads: Uploads,
): Promise<StoredUploads> => {
  const images = Object.values(uploads).flatMap((upload) => ('image' in upload ? upload.image : []));
  if (images.length === Object.keys(uploads).length) await storeImages(ctx, images);
  const stored = Object.entries(uploads).map(([index, upload]) => [
    index,
    'image' in upload ? { sha256: upload.image.sha256 } : upload,
  ]);
  return Object.fromEntries(stored);
};

const refuse = (index: number, problem: string) =>
  new AppError('invalid_image', { message: problem, fields: { [`imageUrls.${index}`]: problem } });

/** The images whose URLs a form contains. */
export const listNamedImages = (imageUrls: readonly string[]): string[] =>
  imageUrls.flatMap((url) => parseMediaUrl(url) ?? []);

/** Hashes of the images in a form, the cover first: uploads, and URLs of images of the ad (`existing`) or its owner. */
export const parseAdImages = (
  imageUrls: readonly string[],
  uploads: StoredUploads,
  { existing, own }: { existing: readonly string[]; own: readonly string[] },
  maxImages: number,
): string[] => {
  if (imageUrls.length > Math.max(maxImages, existing.length))
    throw invalid({ imageUrls: `You can upload a maximum of ${maxImages} images.` });
  return imageUrls.map((url, index) => {
    const upload = uploads[index];
    if (upload !== undefined && 'problem' in upload) throw refuse(index, upload.problem);
    const sha256 = upload?.sha256 ?? parseMediaUrl(url);
    if (sha256 === undefined || (upload === undefined && !existing.includes(sha256) && !own.includes(sha256)))
      throw refuse(index, 'This photo is no longer available. Please add it again.');
    return sha256;
  });
};

/** The URL contains the hash of the bytes, so its response never changes. */
export const parseMediaUrl = (url: string): string | undefined => /^\/media\/([0-9a-f]{64})\/full\.jpg$/.exec(url)?.[1];
