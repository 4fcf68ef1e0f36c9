const MEDIA = 'media:';

/** Names a photo that is a file below the folder of pictures that the operator has, and at no address. */
export const toMediaUrl = (path: string): string => MEDIA + path;

/** The path that toMediaUrl was given; undefined for an address. */
export const parseMediaPath = (url: string): string | undefined =>
  url.startsWith(MEDIA) ? url.slice(MEDIA.length) : undefined;
