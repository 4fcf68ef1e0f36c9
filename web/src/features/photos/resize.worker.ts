import { LIMITS } from '../../../../contract/limits.ts';
import { listSizes, QUARTERS, takeOrientation, toMatrix } from './orientation.ts';

/** Returns a photo as a JPEG: upright, then turned by so many quarters to the right, at most 1200 px, without EXIF data. */
const resize = async (given: Blob, turns: number): Promise<Blob> => {
  const { file, orientation } = await takeOrientation(given);
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, LIMITS.imageEdge / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const [upright, turned] = listSizes(orientation, turns, width, height);
  const canvas = new OffscreenCanvas(...turned);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  // JPEG has no transparency. Without this, transparent pixels would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(...toMatrix(QUARTERS[turns] ?? 1, ...upright));
  context.transform(...toMatrix(orientation, width, height));
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
};

self.onmessage = async ({ data }: MessageEvent<{ id: string; file: Blob; turns: number }>) => {
  const answer = await resize(data.file, data.turns).then(
    (photo) => ({ id: data.id, photo }),
    (error) => ({ id: data.id, error: String(error) }),
  );
  self.postMessage(answer);
};
