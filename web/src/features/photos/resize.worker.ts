import { LIMITS } from '../../../../contract/limits.ts';
import { takeOrientation, toTransform } from './orientation.ts';

/** Returns a photo as a JPEG: upright, at most 1200 px, without EXIF data. */
const resize = async (given: Blob): Promise<Blob> => {
  const { file, orientation } = await takeOrientation(given);
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, LIMITS.imageEdge / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const isTurned = orientation >= 5;
  const canvas = new OffscreenCanvas(isTurned ? height : width, isTurned ? width : height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  // JPEG has no transparency. Without this, transparent pixels would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(toTransform(orientation, width, height));
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
};

self.onmessage = async ({ data }: MessageEvent<{ id: string; file: Blob }>) => {
  const answer = await resize(data.file).then(
    (photo) => ({ id: data.id, photo }),
    (error) => ({ id: data.id, error: String(error) }),
  );
  self.postMessage(answer);
};
