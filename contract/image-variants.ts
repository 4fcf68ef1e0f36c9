import { LIMITS } from './limits.ts';

interface Size {
  width: number;
  height: number;
}

interface VariantSpec {
  /** What link previews and other sites read is JPEG. */
  format: 'jpeg' | 'webp';
  /** When the variant is made. A variant that is not made at upload is made from the full variant and stored. */
  made: 'at upload' | 'by a job' | 'on request';
  /** The variant to send while there is no capacity to make this one; without it 503. */
  fallback: 'full' | undefined;
  /** Width in pixels in a `srcset`, for this image; undefined if the variant is a different view of it. */
  width: ((image: Size) => number) | undefined;
}

/**
 * The stored variants of an image, by the last part of the URL: /media/{sha256}/{variant}.jpg. It ends in .jpg for WebP as well, so
 * that addresses outlive the format; Content-Type tells. An older JPEG is made again when it is first asked for.
 */
export const IMAGE_VARIANTS = {
  full: { format: 'jpeg', made: 'at upload', fallback: undefined, width: ({ width }) => width },
  thumb: {
    format: 'webp',
    made: 'at upload',
    fallback: undefined,
    width: ({ width, height }) => Math.round(width * Math.min(1, LIMITS.thumbEdge / Math.max(width, height))),
  },
  card: { format: 'jpeg', made: 'by a job', fallback: undefined, width: undefined },
  medium: { format: 'webp', made: 'on request', fallback: 'full', width: () => LIMITS.mediumWidth },
} as const satisfies Record<string, VariantSpec>;

export type Variant = keyof typeof IMAGE_VARIANTS;

export type UploadVariant = {
  [V in Variant]: (typeof IMAGE_VARIANTS)[V]['made'] extends 'at upload' ? V : never;
}[Variant];

export const VARIANTS = Object.keys(IMAGE_VARIANTS) as Variant[];

export const isUploadVariant = (variant: Variant): variant is UploadVariant =>
  IMAGE_VARIANTS[variant].made === 'at upload';

/** More than two pixels of a photo for each point of a screen look no sharper, so screens with three get the photo of those with two. */
export const GALLERY_SIZES = '(min-width: 1024px) 680px, (min-resolution: 2.5dppx) 60vw, 100vw';

/** The `srcset`, narrowest first; page and preload must use the same. Omits variants as wide as the image. */
export const toSrcset = (image: Size & { url: string }): string =>
  VARIANTS.flatMap((variant) => {
    const width = IMAGE_VARIANTS[variant].width?.(image);
    return width === undefined ? [] : [{ url: image.url.replace(/\/full\.jpg$/, `/${variant}.jpg`), width }];
  })
    .filter(({ url, width }) => url === image.url || width < image.width)
    .sort((a, b) => a.width - b.width)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ');

/** The path of a stored image. `sha256` in hexadecimal. */
export const toMediaUrl = (sha256: string, variant: Variant): string => `/media/${sha256}/${variant}.jpg`;
