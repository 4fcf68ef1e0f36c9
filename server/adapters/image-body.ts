import { AppError } from '../errors.ts';
import { type ImageFormat, processImage, refuse, type SentImage } from './image-codec.ts';
import { openSlots, type Slot } from './slots.ts';
import { type AdBody, UPLOADED, type Upload } from './uploads.ts';

/** What is left of a body without its pictures must be as small as any other body. */
const MAX_REST_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const DATA_URL = /^data:image\/(jpeg|jpg|png|webp);base64,/i;

/** Parses the body of a new or edited ad and re-encodes its pictures, decoding `atOnce` at a time. Throws malformed_json, payload_too_large. */
export async function parseAdBody(bytes: Uint8Array, maxImages: number, atOnce = 1): Promise<AdBody> {
  const json = parseJson(bytes);
  const urls = listImageUrls(json);
  const uploads: Record<number, Upload> = {};
  const wanted = urls.length <= maxImages;
  const todo = urls.flatMap((url, index) => (isDataUrl(url) ? [{ url, index }] : []));
  for (const { index } of todo) urls[index] = UPLOADED;
  if (!wanted) urls.length = maxImages + 1;
  if (measureJson(json) > MAX_REST_BYTES) throw new AppError('payload_too_large');
  const slot = openSlots(atOnce);
  const process = async ({ url, index }: (typeof todo)[number]) => {
    uploads[index] = wanted ? await processUpload(url, slot) : { problem: 'Too many images.' };
  };
  await Promise.all(todo.map(process));
  return { json, uploads };
}

const isDataUrl = (url: unknown): url is string => typeof url === 'string' && /^\s*data:/i.test(url);

async function processUpload(url: string, slot: Slot): Promise<Upload> {
  try {
    return { image: await processImage(() => decodeDataUrl(url), slot) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_image') return { problem: error.message };
    throw error;
  }
}

/** The bytes of a base64 data URL of one of the three accepted types. Throws invalid_image. */
export function decodeDataUrl(url: string): SentImage {
  const head = DATA_URL.exec(url.slice(0, 40));
  if (!head) throw refuse('Only JPEG, PNG and WebP images are accepted.');
  const type = head[1]!.toLowerCase();
  return { bytes: decodeBase64(url.slice(head[0].length)), format: type === 'jpg' ? 'jpeg' : (type as ImageFormat) };
}

/** Strict: Node's own decoder silently skips what is not base64. */
function decodeBase64(text: string): Uint8Array {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    if (Math.ceil(bytes.length / 3) * 4 === text.length) return bytes;
  } catch {}
  throw refuse('The image is not valid base64.');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new AppError('malformed_json');
  }
}

function listImageUrls(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null || !('imageUrls' in json)) return [];
  return Array.isArray(json.imageUrls) ? json.imageUrls : [];
}

/** Characters of text and number of values in a parsed body, about its size as JSON. Refuses what is nested too deeply. */
function measureJson(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH) throw new AppError('malformed_json', { message: 'The request body is nested too deeply' });
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let size = 2;
  for (const [key, item] of Object.entries(value)) size += key.length + 3 + measureJson(item, depth + 1);
  return size;
}
