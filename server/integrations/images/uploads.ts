import type { ProcessedImage } from './codec.ts';

/** Stands in `imageUrls` for a picture that was sent as a data URL. No client can forge it: anything beginning with `data:` is decoded. */
export const UPLOADED = 'data:';

export type Upload = { image: ProcessedImage } | { problem: string };
/** `json` as sent, each data URL in `imageUrls` replaced by UPLOADED; `uploads[i]` is what became of `imageUrls[i]`. */
export type AdBody = { json: unknown; uploads: Record<number, Upload> };
