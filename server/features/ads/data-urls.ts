import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';
import type { UserActor } from '../../policy.ts';
import { checkUploader, storePhotos } from '../images/photos.ts';
import { refusePhoto } from './ad-images.ts';

export const isDataUrl = (url: string): boolean => url.startsWith('data:');

/**
 * Replaces the data URLs in a form by the addresses of photos of the person. The original contract has photos in the
 * body of the ad, and a page that was opened before an upgrade still sends them.
 */
export const uploadDataUrls = async (
  ctx: AppContext,
  actor: UserActor,
  imageUrls: readonly string[],
): Promise<string[]> => {
  if (!imageUrls.some(isDataUrl)) return [...imageUrls];
  await checkUploader(ctx, actor);
  const images = new Map<number, ProcessedImage>();
  for (const [index, url] of imageUrls.entries())
    if (isDataUrl(url)) images.set(index, await ctx.images.process(url).catch((error) => refuse(index, error)));
  const stored = await storePhotos(ctx, actor, [...images.values()]);
  return imageUrls.map((url) => (isDataUrl(url) ? stored.shift()!.url : url));
};

const refuse = (index: number, error: unknown): never => {
  throw error instanceof AppError && error.code === 'invalid_image' && error.phrase
    ? refusePhoto(index, error.phrase)
    : error;
};
