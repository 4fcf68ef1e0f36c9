import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import type { ErrorCode } from '../../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import {
  type ImageFormat,
  makeCardImage,
  makeMediumImage,
  type ProcessedImage,
  processImage,
  refuse,
  type SentImage,
  sniffFormat,
} from './codec.ts';

/** The process that decodes untrusted images. It has no secrets and no database, and may die at any time. */

/** Replaces a data URL in `imageUrls`. A client cannot forge it: any value that begins with `data:` is decoded. */
const UPLOADED = 'data:';

export type Upload = { image: ProcessedImage } | { problem: string };
export type AdBody = { json: unknown; uploads: Record<number, Upload> };

export type ImageJobs = {
  adBody: { input: { source: string | Uint8Array; maxImages: number; atOnce: number }; output: AdBody };
  image: { input: { source: string | Uint8Array }; output: ProcessedImage };
  card: { input: { full: Uint8Array }; output: Uint8Array };
  medium: { input: { full: Uint8Array }; output: Uint8Array };
};
export type ImageJobName = keyof ImageJobs;
export type JobRequest = { name: ImageJobName; input: ImageJobs[ImageJobName]['input'] };
/** An AppError cannot be sent between processes; its code and message can. */
export type JobReply = { output: unknown } | { error: { code: ErrorCode; message?: string } };

const perform: { [Name in ImageJobName]: (input: ImageJobs[Name]['input']) => Promise<ImageJobs[Name]['output']> } = {
  adBody: async ({ source, maxImages, atOnce }) =>
    parseAdBody(typeof source === 'string' ? await readFile(source) : source, maxImages, atOnce),
  image: ({ source }) =>
    processImage(() => (typeof source === 'string' ? decodeDataUrl(source) : identify(source)), pLimit(1)),
  card: ({ full }) => makeCardImage(full),
  medium: ({ full }) => makeMediumImage(full),
};

function identify(bytes: Uint8Array): SentImage {
  const format = sniffFormat(bytes);
  if (!format) throw refuse('Only JPEG, PNG and WebP images are accepted.');
  return { bytes, format };
}

async function respond(request: JobRequest): Promise<JobReply> {
  try {
    return { output: await perform[request.name](request.input as never) };
  } catch (error) {
    return {
      error: error instanceof AppError ? { code: error.code, message: error.message } : { code: 'image_worker_failed' },
    };
  }
}

/** Without its images, a body must be as small as any other. */
const MAX_REST_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const DATA_URL = /^data:image\/(jpeg|jpg|png|webp);base64,/i;

/**
 * Parses the body of a new or edited ad and re-encodes its images, decoding `atOnce` at a time. Throws malformed_json,
 * payload_too_large.
 */
export async function parseAdBody(bytes: Uint8Array, maxImages: number, atOnce = 1): Promise<AdBody> {
  const json = parseJson(bytes);
  const urls = listImageUrls(json);
  const uploads: Record<number, Upload> = {};
  const wanted = urls.length <= maxImages;
  const todo = urls.flatMap((url, index) => (isDataUrl(url) ? [{ url, index }] : []));
  for (const { index } of todo) urls[index] = UPLOADED;
  if (!wanted) urls.length = maxImages + 1;
  if (measureJson(json) > MAX_REST_BYTES) throw new AppError('payload_too_large');
  const limit = pLimit(atOnce);
  const process = async ({ url, index }: (typeof todo)[number]) => {
    uploads[index] = wanted ? await processUpload(url, limit) : { problem: 'Too many images.' };
  };
  await Promise.all(todo.map(process));
  return { json, uploads };
}

const isDataUrl = (url: unknown): url is string => typeof url === 'string' && /^\s*data:/i.test(url);

async function processUpload(url: string, limit: LimitFunction): Promise<Upload> {
  try {
    return { image: await processImage(() => decodeDataUrl(url), limit) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_image') return { problem: error.message };
    throw error;
  }
}

/** The bytes of a base64 data URL of an accepted type. Throws invalid_image. */
export function decodeDataUrl(url: string): SentImage {
  const head = DATA_URL.exec(url.slice(0, 40));
  if (!head) throw refuse('Only JPEG, PNG and WebP images are accepted.');
  const type = head[1]!.toLowerCase();
  return { bytes: decodeBase64(url.slice(head[0].length)), format: type === 'jpg' ? 'jpeg' : (type as ImageFormat) };
}

/** Strict, because Node's own decoder silently skips invalid characters. */
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

function measureJson(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH) throw new AppError('malformed_json', { message: 'The request body is nested too deeply' });
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let size = 2;
  for (const [key, item] of Object.entries(value)) size += key.length + 3 + measureJson(item, depth + 1);
  return size;
}

process.on('disconnect', () => process.exit());
// A signal to the whole process group must not end a job that the stopping server still waits for.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
// Under load the web server has priority; under memory pressure the kernel ends this process, not the server.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
// Last, because a job may be waiting already.
process.on('message', async (request: JobRequest) => {
  // Without a callback, a server that was killed meanwhile would raise an error here before 'disconnect' ends this process.
  process.send?.(await respond(request), undefined, {}, () => {});
});
