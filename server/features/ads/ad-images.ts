import { AppError, invalid } from '../../errors.ts';
import type { Upload } from '../../integrations/images/uploads.ts';
import type { AdImage } from './images-repository.ts';

/** `uploads[i]` is what became of the picture sent as `imageUrls[i]`. */
export type Uploads = Record<number, Upload>;

const refuse = (index: number, problem: string) =>
  new AppError('invalid_image', { message: problem, fields: { [`imageUrls.${index}`]: problem } });

/** The pictures of an ad as its form sent them: new ones, and addresses of those it has. Nothing else is taken or fetched. */
export const parseAdImages = (
  imageUrls: readonly string[],
  uploads: Uploads,
  existing: readonly string[],
  maxImages: number,
): AdImage[] => {
  if (imageUrls.length > Math.max(maxImages, existing.length))
    throw invalid({ imageUrls: `You can upload a maximum of ${maxImages} images.` });
  return imageUrls.map((url, index) => {
    const upload = uploads[index];
    if (upload !== undefined && 'problem' in upload) throw refuse(index, upload.problem);
    if (upload !== undefined) return { sha256: upload.image.sha256, image: upload.image };
    const sha256 = parseMediaUrl(url);
    if (sha256 === undefined || !existing.includes(sha256)) throw refuse(index, 'This is not an image of this ad.');
    return { sha256 };
  });
};

/** Address of a picture: named after its content, so that what lies there never changes. */
export const toMediaUrl = (sha256: string, variant: 'full' | 'thumb' | 'card'): string =>
  `/media/${sha256}/${variant}.jpg`;

/** The picture that a full-size address names; undefined for anything else. */
export const parseMediaUrl = (url: string): string | undefined => /^\/media\/([0-9a-f]{64})\/full\.jpg$/.exec(url)?.[1];
