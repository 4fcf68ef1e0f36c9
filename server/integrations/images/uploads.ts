import type { ProcessedImage } from './codec.ts';

/** Replaces a data URL in `imageUrls`. A client cannot forge it: any value that begins with `data:` is decoded. */
export const UPLOADED = 'data:';

export type Upload = { image: ProcessedImage } | { problem: string };
export type AdBody = { json: unknown; uploads: Record<number, Upload> };
