import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import { AppError } from '../../errors.ts';
import {
  makeCardImage,
  makeMediumImage,
  makeThumbImage,
  type ProcessedImage,
  processImage,
  refuse,
  type SentImage,
} from './codec.ts';
import { type ImageFormat, sniffFormat } from './formats.ts';
import { makeLook, processLogo } from './logo.ts';
import type { Look, LookInput } from './logo-files.ts';

/** The process that decodes untrusted images. It has no secrets and no database, and may die at any time. */

export type ImageJobs = {
  image: { input: { source: string | Uint8Array }; output: ProcessedImage };
  card: { input: { full: Uint8Array }; output: Uint8Array };
  medium: { input: { full: Uint8Array }; output: Uint8Array };
  thumb: { input: { full: Uint8Array }; output: Uint8Array };
  logo: { input: { bytes: Uint8Array }; output: Uint8Array };
  look: { input: LookInput; output: Look };
};
export type ImageJobName = keyof ImageJobs;
export type JobRequest = { name: ImageJobName; input: ImageJobs[ImageJobName]['input'] };
/** An AppError cannot be sent between processes; its code and its text can. */
export type JobReply = { output: unknown } | { error: { code: ErrorCode } & Partial<ErrorPhrase> };

const perform: { [Name in ImageJobName]: (input: ImageJobs[Name]['input']) => Promise<ImageJobs[Name]['output']> } = {
  image: async ({ source }) => processImage(typeof source === 'string' ? decodeDataUrl(source) : identify(source)),
  card: ({ full }) => makeCardImage(full),
  medium: ({ full }) => makeMediumImage(full),
  thumb: ({ full }) => makeThumbImage(full),
  logo: ({ bytes }) => processLogo(bytes),
  look: makeLook,
};

function identify(bytes: Uint8Array): SentImage {
  const format = sniffFormat(bytes);
  if (!format) throw refuse('errors.imageFormats');
  return { bytes, format };
}

async function respond(request: JobRequest): Promise<JobReply> {
  try {
    return { output: await perform[request.name](request.input as never) };
  } catch (error) {
    return {
      error: error instanceof AppError ? { code: error.code, ...error.phrase } : { code: 'image_worker_failed' },
    };
  }
}

const DATA_URL = /^data:image\/(jpeg|jpg|png|webp);base64,/i;

/** The bytes of a base64 data URL of an accepted type. Throws invalid_image. */
function decodeDataUrl(url: string): SentImage {
  const head = DATA_URL.exec(url.slice(0, 40));
  if (!head) throw refuse('errors.imageFormats');
  const type = head[1]!.toLowerCase();
  return { bytes: decodeBase64(url.slice(head[0].length)), format: type === 'jpg' ? 'jpeg' : (type as ImageFormat) };
}

/** Strict, because Node's own decoder silently skips invalid characters. */
function decodeBase64(text: string): Uint8Array {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    if (Math.ceil(bytes.length / 3) * 4 === text.length) return bytes;
  } catch {}
  throw refuse('errors.imageBase64');
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
