import type { ProcessedImage } from './codec.ts';

/** Replaces a data URL in `imageUrls`. A client cannot forge it: anything that begins with `data:` is decoded. */
export const UPLOADED = 'data:';

export type Upload = { image: ProcessedImage } | { problem: string };
/** `json` as sent, each data URL in `imageUrls` replaced by UPLOADED; `uploads[i]` is the result for `imageUrls[i]`. */
export type AdBody = { json: unknown; uploads: Record<number, Upload> };
