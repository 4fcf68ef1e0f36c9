import { AppError } from '../../errors.ts';
import type { ProcessedImage } from './codec.ts';
import type { Look, LookInput } from './logo-files.ts';
import { createPool } from './pool.ts';
import type { ImageJobName, ImageJobs, JobReply } from './worker.ts';

export type Images = ReturnType<typeof createImages>;
type ImagesOptions = {
  processes?: number;
  maxWaiting?: number;
  jobsPerProcess?: number;
  deadlineMs?: number;
  onWorkerExit?: (why: string) => void;
};

/**
 * Decodes and re-encodes images in two child processes. Every function may throw overloaded (the queue is full) or
 * image_worker_failed (the process died or took more than a minute).
 */
export function createImages(options: ImagesOptions = {}) {
  const { processes = 2, maxWaiting = 16, jobsPerProcess = 500, deadlineMs = 60_000, onWorkerExit } = options;
  const script = new URL('./worker.ts', import.meta.url);
  const pool = createPool({ script, size: processes, maxWaiting, jobsPerProcess, deadlineMs, onExit: onWorkerExit });

  async function run<Name extends ImageJobName>(
    name: Name,
    input: ImageJobs[Name]['input'],
  ): Promise<ImageJobs[Name]['output']> {
    const reply = (await pool.run({ name, input })) as JobReply;
    if ('output' in reply) return reply.output as ImageJobs[Name]['output'];
    const { code, ...phrase } = reply.error;
    throw new AppError(code, phrase);
  }

  /** Uploads have priority: throws overloaded long before they do. */
  async function makeAfterUploads(name: 'medium' | 'thumb', full: Uint8Array): Promise<Buffer> {
    if (pool.waiting() >= maxWaiting / 4) throw new AppError('overloaded');
    return Buffer.from(await run(name, { full }));
  }

  return {
    /** Re-encodes one image, from a data URL or from the bytes of a file. Throws invalid_image. */
    process: (source: string | Uint8Array): Promise<ProcessedImage> => run('image', { source }),
    makeCard: async (full: Uint8Array): Promise<Buffer> => Buffer.from(await run('card', { full })),
    makeMedium: (full: Uint8Array) => makeAfterUploads('medium', full),
    /** For images whose thumbnail an earlier release made. */
    makeThumb: (full: Uint8Array) => makeAfterUploads('thumb', full),
    /** Draws a logo as a PNG. Throws invalid_image. */
    processLogo: async (bytes: Uint8Array): Promise<Buffer> => Buffer.from(await run('logo', { bytes })),
    /** Icons and share picture of a brand. */
    makeLook: (input: LookInput): Promise<Look> => run('look', input),
    pids: pool.pids,
    waiting: pool.waiting,
    busy: pool.busy,
    close: pool.close,
  };
}
