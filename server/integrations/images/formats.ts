import { IMAGE_VARIANTS, type Variant } from '../../../contract/image-variants.ts';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const ascii = (b: Uint8Array, at: number) => Buffer.from(b.subarray(at, at + 4)).toString('latin1');

/** By the first bytes. */
export const FORMATS = {
  jpeg: (b: Uint8Array) => b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff,
  png: (b: Uint8Array) => Buffer.from(b.subarray(0, 8)).equals(PNG_SIGNATURE),
  webp: (b: Uint8Array) => ascii(b, 0) === 'RIFF' && ascii(b, 8) === 'WEBP',
};

export type ImageFormat = keyof typeof FORMATS;

export const sniffFormat = (bytes: Uint8Array): ImageFormat | undefined =>
  (Object.keys(FORMATS) as ImageFormat[]).find((format) => FORMATS[format](bytes));

/** False for a variant that an earlier release made in another format. */
export const isInCurrentFormat = (variant: Variant, bytes: Uint8Array): boolean =>
  FORMATS[IMAGE_VARIANTS[variant].format](bytes);

/** Stored images are JPEG unless they say otherwise. */
export const toImageType = (bytes: Uint8Array): string => `image/${sniffFormat(bytes) ?? 'jpeg'}`;
