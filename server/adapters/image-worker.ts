/** The process that touches untrusted pictures: it has no secrets, no database and no one who needs it alive. */
import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../errors.ts';
import { decodeDataUrl, parseAdBody } from './image-body.ts';
import {
  makeCardImage,
  makeMediumImage,
  type ProcessedImage,
  processImage,
  refuse,
  type SentImage,
  sniffFormat,
} from './image-codec.ts';
import { openSlots } from './slots.ts';
import type { AdBody } from './uploads.ts';

export type ImageJobs = {
  adBody: { input: { source: string | Uint8Array; maxImages: number; atOnce: number }; output: AdBody };
  image: { input: { source: string | Uint8Array }; output: ProcessedImage };
  card: { input: { full: Uint8Array }; output: Uint8Array };
  medium: { input: { full: Uint8Array }; output: Uint8Array };
};
export type ImageJobName = keyof ImageJobs;
export type JobRequest = { name: ImageJobName; input: ImageJobs[ImageJobName]['input'] };
/** An AppError cannot cross between processes; its code and message can. */
export type JobReply = { output: unknown } | { error: { code: ErrorCode; message?: string } };

const perform: { [Name in ImageJobName]: (input: ImageJobs[Name]['input']) => Promise<ImageJobs[Name]['output']> } = {
  adBody: async ({ source, maxImages, atOnce }) =>
    parseAdBody(typeof source === 'string' ? await readFile(source) : source, maxImages, atOnce),
  image: ({ source }) =>
    processImage(() => (typeof source === 'string' ? decodeDataUrl(source) : identify(source)), openSlots(1)),
  card: ({ full }) => makeCardImage(full),
  medium: ({ full }) => makeMediumImage(full),
};

function identify(bytes: Uint8Array): SentImage {
  const format = sniffFormat(bytes);
  if (!format) throw refuse('Only JPEG, PNG and WebP images are accepted.');
  return { bytes, format };
}

async function answer(request: JobRequest): Promise<JobReply> {
  try {
    return { output: await perform[request.name](request.input as never) };
  } catch (error) {
    return {
      error: error instanceof AppError ? { code: error.code, message: error.message } : { code: 'image_worker_failed' },
    };
  }
}

process.on('message', async (request: JobRequest) => process.send?.(await answer(request)));
process.on('disconnect', () => process.exit());
// A signal to the whole process group must not cut down a job that the draining server still waits for.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
// The web server goes first on a busy machine, and under memory pressure the kernel ends this process, not the server.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
