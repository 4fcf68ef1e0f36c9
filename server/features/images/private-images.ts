import { createHash, randomBytes } from 'node:crypto';
import type { PhotoSize } from '../../../contract/message-photos.ts';
import type { AppContext } from '../../app-context.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';
import { findBytes, storeImages } from './files.ts';

const COMMENT_BYTES = 16;

/**
 * The image under a name that nobody can compute from the picture: a random comment of the file changes its hash. The same
 * picture in an ad is another image, with a life of its own.
 */
export const toPrivateImage = (image: ProcessedImage): ProcessedImage => {
  const { full: jpeg } = image;
  // behind the first segment, which JFIF wants to be its own
  const at = 4 + Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).readUInt16BE(4);
  const comment = Buffer.from([0xff, 0xfe, 0, 2 + COMMENT_BYTES, ...randomBytes(COMMENT_BYTES)]);
  const full = Buffer.concat([jpeg.subarray(0, at), comment, jpeg.subarray(at)]);
  return { ...image, full, sha256: createHash('sha256').update(full).digest('hex') };
};

/** Stores an image that no public address serves. @throws {AppError} those of storeImages */
export const storePrivateImage = (ctx: AppContext, image: ProcessedImage): Promise<void> =>
  storeImages(ctx, [image], { isPrivate: true });

/** Reads past the caches, which serve everybody. The caller has checked who asks. */
export const loadPrivateImage = (
  { imageStores }: AppContext,
  sha256: string,
  size: PhotoSize,
): Promise<Buffer | undefined> => findBytes(imageStores, { sha256, variant: size });
