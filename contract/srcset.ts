import { LIMITS } from './limits.ts';

/** How wide the gallery of an ad's page shows a picture, as in the `sizes` attribute. */
export const GALLERY_SIZES = '(min-width: 1024px) 680px, 100vw';

interface Sizes {
  url: string;
  thumbUrl: string;
  width: number;
  height: number;
}

const thumbWidth = ({ width, height }: Sizes): number =>
  Math.round(width * Math.min(1, LIMITS.thumbEdge / Math.max(width, height)));

/**
 * The `srcset` of a picture, narrowest first: page and preload must offer the very same. The medium rendition lies beside
 * the full one and is made when it is first asked for; a picture that is no wider has none.
 */
export const toSrcset = (image: Sizes): string =>
  [
    [image.thumbUrl, thumbWidth(image)] as const,
    [image.url.replace(/\/full\.jpg$/, '/medium.jpg'), LIMITS.mediumWidth] as const,
  ]
    .filter(([, width]) => width < image.width)
    .concat([[image.url, image.width]])
    .map(([url, width]) => `${url} ${width}w`)
    .join(', ');
